import { buildSchema, graphql, parse, validate } from 'graphql'
import { jsonField } from '../../../github/json-field.ts'
import type { Account, DoubleState } from './github-state.ts'
import { nodeIdOf } from './routes.ts'

/** The part of GitHub's GraphQL schema that the action uses, with GitHub's names and nullability. */
const schema = buildSchema(`
  scalar DateTime
  interface Node { id: ID! }
  interface Actor { login: String! }
  interface Minimizable { isMinimized: Boolean! minimizedReason: String }
  type User implements Actor { login: String! }
  type Bot implements Actor { login: String! }
  type IssueComment implements Node & Minimizable {
    id: ID!
    body: String!
    author: Actor
    editor: Actor
    lastEditedAt: DateTime
    isMinimized: Boolean!
    minimizedReason: String
  }
  enum ReportedContentClassifiers { ABUSE DUPLICATE OFF_TOPIC OUTDATED RESOLVED SPAM }
  input MinimizeCommentInput { clientMutationId: String subjectId: ID! classifier: ReportedContentClassifiers! }
  type MinimizeCommentPayload { clientMutationId: String minimizedComment: Minimizable }
  type Query { viewer: User! node(id: ID!): Node }
  type Mutation { minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload }
`)

/** What is wrong with a query: its form, or what the schema does not know. */
export function queryViolations(body: unknown): readonly string[] {
  const query = jsonField(body, 'query')
  if (typeof query !== 'string') return ['GraphQL: no query']
  const members = Object.keys(Object(body)).filter((name) => !['query', 'variables', 'operationName'].includes(name))
  try {
    const wrong = validate(schema, parse(query)).map(({ message }) => message)
    return [...wrong, ...members.map((name) => `body member ${name} is unknown`)].map((what) => `GraphQL: ${what}`)
  } catch (error) {
    return [`GraphQL: ${String(error)}`]
  }
}

export async function answerQuery(state: DoubleState, body: unknown): Promise<object> {
  const { query, variables }: { readonly query?: unknown; readonly variables?: unknown } = Object(body)
  return graphql({
    schema,
    source: String(query),
    variableValues: { ...Object(variables) },
    rootValue: {
      viewer: { login: state.login },
      node: ({ id }: { readonly id: string }) => commentNode(state, id),
      minimizeComment: ({ input }: { readonly input: { readonly subjectId: string; readonly classifier: string } }) => {
        const comment = state.comments.find((one) => nodeIdOf(one) === input.subjectId)
        if (comment === undefined)
          throw new Error(`Could not resolve to a node with the global id of '${input.subjectId}'`)
        comment.minimized = input.classifier.toLowerCase()
        return { minimizedComment: commentNode(state, input.subjectId) }
      },
    },
  })
}

function commentNode(state: DoubleState, id: string) {
  const comment = state.comments.find((one) => nodeIdOf(one) === id)
  if (comment === undefined) return null
  return {
    __typename: 'IssueComment',
    id,
    body: comment.body,
    author: actor(comment.user),
    editor: comment.editor === undefined ? null : actor(comment.editor),
    lastEditedAt: comment.editor === undefined ? null : '2026-01-01T00:00:00Z',
    isMinimized: comment.minimized !== undefined,
    minimizedReason: comment.minimized ?? null,
  }
}

/** Apps have no `[bot]` behind their login here. */
function actor({ login, type }: Account) {
  return { __typename: type, login: type === 'Bot' ? login.replace(/\[bot\]$/, '') : login }
}
