{{- define "simulate" -}}
annotations:
  {{- range $name, $value := . }}
  simulate.staged-helm-deploy.dev/{{ $name }}: {{ $value | quote }}
  {{- end }}
{{- end }}
