/**
 * Which names a tool never opens or lists: version control, installed packages, logs of agents, secrets.
 *
 * This is a list of names, so it can miss a secret that has an ordinary one; `open-text.ts` looks at the first bytes too.
 *
 * @module
 */

/** Folders whose content is nobody's source. Lower case, as everything is compared. */
const FOLDERS = new Set([
  '.git',
  '.hg',
  '.svn',
  '.turnwise',
  'node_modules',
  '.aws',
  '.azure',
  '.docker',
  '.gnupg',
  '.kube',
  '.ssh',
])

const SECRET_FILES = [
  /^\.env/,
  /\.(pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|asc|gpg|tfstate)$/,
  // Private keys are called id_rsa, id_ed25519, id_work: no ending but .pub. `id_map.ts` is source.
  /^id_[^.]+(\.pub)?$/,
  /^\.?(credentials?|secrets?)(\.(json|ya?ml|toml|ini|txt|csv|xml|properties))?$/,
  /^(\.|_)(npmrc|yarnrc|netrc|pgpass|pypirc|htpasswd|my\.cnf|git-credentials|authinfo|vault-token)/,
  /^(service[-_]account|client[-_]secret).*\.json$/,
]

/** Says whether a single file or folder name is off limits. */
export const isPrivateName = (name: string): boolean => {
  const lower = name.toLowerCase()
  return FOLDERS.has(lower) || SECRET_FILES.some((pattern) => pattern.test(lower))
}

/** The first private name in a path with `/`; undefined if there is none. */
export const privatePartOf = (path: string): string | undefined =>
  path.split('/').find((part) => isPrivateName(part))
