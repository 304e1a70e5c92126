{{- define "gatehouse.labels" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gatehouse.pod" -}}
metadata:
  labels:
    {{- include "gatehouse.selector" . | nindent 4 }}
spec:
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  automountServiceAccountToken: false
  # Longer than the ten seconds that a process takes to finish what is under way.
  terminationGracePeriodSeconds: 20
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: gatehouse
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      ports:
        - name: http
          containerPort: 8080
      env:
        {{- range $name, $value := .Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- with .Values.database.existingSecret }}
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ . }}
              key: DATABASE_URL
        {{- end }}
        {{- with .Values.masterKey.existingSecret }}
        - name: GATEHOUSE_MASTER_KEY
          valueFrom:
            secretKeyRef:
              name: {{ . }}
              key: GATEHOUSE_MASTER_KEY
        {{- end }}
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 10
        failureThreshold: 6
      startupProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        failureThreshold: 60
      lifecycle:
        preStop:
          exec:
            # Traffic stops coming before the process stops taking it.
            command: ["node", "-e", "setTimeout(() => {}, 3000)"]
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: ["ALL"]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.database.existingSecret }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
