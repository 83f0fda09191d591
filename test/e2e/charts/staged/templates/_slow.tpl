{{- define "staged.slow" -}}
{{- with .Values.slow -}}
annotations: { simulate.staged-helm-deploy.dev/ready-after: {{ . }}, simulate.staged-helm-deploy.dev/complete-after: {{ . }} }
{{- end }}
{{- end }}
