import { Marked, type Tokens } from 'marked'

export interface PreviewPart {
  readonly title: string
  readonly markdown: string
}

export interface PreviewOptions {
  readonly title: string
  /** Source of `mermaid.min.js`; without it diagrams are shown as their text. */
  readonly mermaidSource?: string
}

/** One self-contained HTML page that shows Markdown about as GitHub does: GFM, alert boxes, coloured diffs. */
export function previewPage(parts: readonly PreviewPart[], options: PreviewOptions): string {
  const marked = new Marked({ gfm: true, renderer: { blockquote, code: codeBlock } })
  const bodies = parts.map((part) => {
    const body = marked.parse(part.markdown, { async: false })
    return `<section><h1 class="part">${escapeHtml(part.title)}</h1><article>${body}</article></section>`
  })
  const script =
    options.mermaidSource === undefined
      ? ''
      : `<script>${options.mermaidSource.replaceAll('</script', '<\\/script')}</script><script>mermaid.initialize({startOnLoad:true})</script>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(options.title)}</title><style>${STYLE}</style></head>
<body>${bodies.join('\n')}${script}</body></html>
`

  /** GitHub's alert syntax, which plain GFM does not know. */
  function blockquote(token: Tokens.Blockquote): string {
    const inner = marked.parser(token.tokens)
    const kind = /^<p>\[!(NOTE|WARNING|CAUTION)\]\s*/.exec(inner)?.[1]
    if (kind === undefined) return `<blockquote>${inner}</blockquote>`
    const text = inner.replace(/^<p>\[!\w+\]\s*/, '<p>').replace(/^<p><\/p>/, '')
    const title = kind.charAt(0) + kind.slice(1).toLowerCase()
    return `<div class="alert ${kind.toLowerCase()}"><p class="alert-title">${title}</p>${text}</div>`
  }
}

function codeBlock(token: Tokens.Code): string {
  if (token.lang === 'mermaid') return `<pre class="mermaid">${escapeHtml(token.text)}</pre>`
  const lines = token.text.split('\n').map((line) => {
    const kind = token.lang === 'diff' ? diffKind(line) : ''
    return `<span${kind === '' ? '' : ` class="${kind}"`}>${escapeHtml(line)}</span>`
  })
  return `<pre><code>${lines.join('\n')}</code></pre>`
}

function diffKind(line: string): string {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'hunk' : ''
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Sizes and colours after GitHub's light theme. */
const STYLE = `
body { margin: 0 auto; max-width: 1012px; padding: 24px; background: #f6f8fa; color: #1f2328;
  font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, "DejaVu Sans", sans-serif; }
h1.part { font-size: 14px; font-weight: 600; margin: 24px 0 8px; color: #59636e; }
article { background: #fff; border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px 24px; overflow-wrap: break-word; }
h3 { font-size: 1.25em; margin: 8px 0 16px; } h4 { font-size: 1em; margin: 24px 0 16px; }
p, table, pre, details, ul { margin: 0 0 16px; } ul { padding-left: 2em; }
code { font: 85% ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: #818b981f;
  border-radius: 6px; padding: .2em .4em; }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: auto; line-height: 1.45; }
pre code { background: none; padding: 0; } pre.mermaid { background: #fff; border: 1px solid #d1d9e0; }
table { border-collapse: collapse; display: block; overflow: auto; max-width: 100%; }
th, td { border: 1px solid #d1d9e0; padding: 6px 13px; } tr:nth-child(2n) { background: #f6f8fa; } th { font-weight: 600; }
summary { cursor: pointer; margin-bottom: 8px; } a { color: #0969da; }
.alert { border-left: 4px solid #0969da; padding: 8px 16px; margin-bottom: 16px; } .alert p:last-child { margin-bottom: 0; }
.alert-title { font-weight: 600; margin-bottom: 8px; color: #0969da; }
.alert.warning { border-color: #9a6700; } .alert.warning .alert-title { color: #9a6700; }
.alert.caution { border-color: #d1242f; } .alert.caution .alert-title { color: #d1242f; }
.added { background: #dafbe1; color: #116329; } .removed { background: #ffebe9; color: #82071e; } .hunk { color: #6639ba; }
`
