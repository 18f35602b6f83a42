/**
 * How a typed line is read.
 */
import { describe, expect, it } from 'vitest'
import { readLine } from '../../../src/cli/chat/slash.ts'

describe('a typed line', () => {
  it('is said, without the space around it', () => {
    expect(readLine('  What is here? ')).toEqual({ kind: 'say', text: 'What is here?' })
    expect(readLine(' \t')).toEqual({ kind: 'nothing' })
  })

  it('that begins with two slashes is said with one', () => {
    expect(readLine('//etc/hosts: what is it?')).toEqual({
      kind: 'say',
      text: '/etc/hosts: what is it?',
    })
  })

  it('that begins with a slash is a command with the words behind it', () => {
    expect(readLine('/queue  and then? ')).toEqual({
      kind: 'slash',
      name: 'queue',
      rest: 'and then?',
    })
    expect(readLine('/cancel --keep-inbox')).toMatchObject({ name: 'cancel', rest: '--keep-inbox' })
    expect(readLine('/approve')).toMatchObject({ name: 'approve', rest: '' })
  })

  it('that is no command, or has too much or too little behind it, says so', () => {
    for (const line of [
      '/etc/hosts',
      '/toString',
      '/',
      '/queue',
      '/inject ',
      '/quit now',
      '/cancel all',
    ]) {
      expect(readLine(line)).toMatchObject({ kind: 'fault' })
    }
  })
})
