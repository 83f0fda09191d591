# Fails where something that holds data is deleted, or deleted and created again:
#
#     jq -r -f examples/policies/keep-data.jq plan.json
[
  .releases[].stages[]?.groups[].ranks[][]
  | select(.kind == "delete" or .change == "recreate")
  | .ref
  | select(.kind | IN("PersistentVolumeClaim", "PersistentVolume", "StatefulSet", "CustomResourceDefinition", "Namespace"))
  | [.kind, .namespace, .name | values] | join("/")
]
| if length == 0 then "nothing that holds data is deleted" else error("deleted: " + join(", ")) end
