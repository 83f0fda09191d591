{{- define "lib.labels" -}}
from: {{ .Chart.Name }}
{{- end -}}
