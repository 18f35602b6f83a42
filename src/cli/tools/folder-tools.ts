/**
 * The tools of the command: reading one folder and nothing else.
 *
 * @module
 */
import type { AnyTool } from '../../actors/tool.port.ts'
import { count } from './count.ts'
import type { Folder } from './folder.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { searchText } from './search-text.ts'

/** Every tool over `folder`. */
export const folderTools = (folder: Folder): readonly AnyTool[] => [
  listFiles(folder),
  readFile(folder),
  searchText(folder),
  count(folder),
]
