{{- define "features.name" -}}
{{ .Chart.Name }}-{{ .Release.Name | trunc 20 | trimSuffix "-" }}
{{- end -}}
{{- define "features.labels" -}}
app.kubernetes.io/name: {{ include "features.name" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
