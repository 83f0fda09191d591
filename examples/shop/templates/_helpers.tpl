{{/* Name of the release's objects: the release name, once. */}}
{{- define "shop.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of every object. Call with (dict "context" . "component" "api"). */}}
{{- define "shop.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .context.Chart.Name .context.Chart.Version | replace "+" "_" }}
app.kubernetes.io/managed-by: {{ .context.Release.Service }}
app.kubernetes.io/version: {{ .context.Chart.AppVersion | quote }}
{{ include "shop.selectorLabels" . }}
{{- end -}}

{{/* Labels that never change: selectors are immutable. */}}
{{- define "shop.selectorLabels" -}}
app.kubernetes.io/name: {{ .context.Chart.Name }}
app.kubernetes.io/instance: {{ .context.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "shop.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "shop.serviceAccountName" -}}
{{ include "shop.fullname" . }}
{{- end -}}

{{/* Host and Secret of the subchart. */}}
{{- define "shop.databaseName" -}}
{{ .Release.Name }}-database
{{- end -}}

{{/* How every container reaches the database. */}}
{{- define "shop.databaseEnv" -}}
- name: PGHOST
  value: {{ include "shop.databaseName" . }}
- name: PGDATABASE
  value: {{ .Values.database.auth.database }}
- name: PGUSER
  value: {{ .Values.database.auth.username }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "shop.databaseName" . }}
      key: password
{{- end -}}

{{- define "shop.podSecurityContext" -}}
runAsNonRoot: true
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "shop.securityContext" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}
