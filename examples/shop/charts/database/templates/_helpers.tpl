{{- define "database.fullname" -}}
{{ .Release.Name }}-database
{{- end -}}

{{- define "database.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{ include "database.selectorLabels" . }}
{{- end -}}

{{- define "database.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* All of the database comes before everything else of the release; inside this weight Helm's kind order holds. */}}
{{- define "database.weight" -}}
werf.io/weight: "-1"
{{- end -}}
