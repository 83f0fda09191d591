{{- define "job" -}}
spec:
  backoffLimit: 0
  template:
    metadata:
      annotations: { simulate.staged-helm-deploy.dev/complete-after: 200ms }
    spec: { restartPolicy: Never, containers: [{ name: main, image: "example:{{ .Values.generation }}" }] }
{{- end }}
