// kubernetes_schema.mjs MODULES: says what Kubernetes would not take of the List on standard input. The schemas of the npm package
// kubernetes-models check types and what must be there; its declarations, which fields there are.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const modules = process.argv[2];
const { Job } = createRequire(`${modules}/`)("kubernetes-models/batch/v1/Job");

function fieldsOf(type) {
  const text = readFileSync(`${modules}/node_modules/kubernetes-models/${type}.d.ts`, "utf8");
  const body = text.slice(text.indexOf("export interface I"));
  return new Set([...body.slice(0, body.indexOf("\n}")).matchAll(/^ {4}"?([\w$]+)"?\??:/gm)].map((found) => found[1]));
}

const problems = [];
function known(type, value, where) {
  const fields = fieldsOf(type);
  for (const name of Object.keys(value)) if (!fields.has(name)) problems.push(`${where}.${name}: no field of ${type}`);
}

const list = JSON.parse(readFileSync(0, "utf8"));
if (list.apiVersion !== "v1" || list.kind !== "List" || list.items.length === 0) problems.push("it is no List of Jobs");
for (const item of list.items) {
  try {
    new Job(item).validate();
  } catch (error) {
    problems.push(error.message);
  }
  const pod = item.spec.template.spec;
  known("batch/v1/Job", item, "job");
  known("batch/v1/JobSpec", item.spec, "spec");
  known("v1/PodTemplateSpec", item.spec.template, "template");
  known("v1/PodSpec", pod, "pod");
  known("v1/PodSecurityContext", pod.securityContext, "securityContext");
  for (const container of pod.containers) {
    known("v1/Container", container, "container");
    known("v1/ResourceRequirements", container.resources, "resources");
    for (const mount of container.volumeMounts) known("v1/VolumeMount", mount, "volumeMount");
  }
  for (const volume of pod.volumes) {
    known("v1/Volume", volume, "volume");
    if (volume.hostPath) known("v1/HostPathVolumeSource", volume.hostPath, "hostPath");
    if (volume.persistentVolumeClaim) known("v1/PersistentVolumeClaimVolumeSource", volume.persistentVolumeClaim, "claim");
  }
}
for (const problem of problems) console.log(problem);
