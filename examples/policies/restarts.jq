# The workloads whose pods are replaced, one a line:
#
#     jq -r -f examples/policies/restarts.jq plan.json
.releases[].stages[]?.groups[].ranks[][]
| select(.impact.restart)
| select(.impact.restart.how != "on-delete")
| "\([.ref.kind, .ref.namespace, .ref.name | values] | join("/")): \(.impact.restart.how) (\(.impact.restart.because))"
