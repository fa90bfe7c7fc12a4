# Riff
# SPDX-License-Identifier: Apache-2.0
"""Makes tones.onnx and tones.onnx.json: a voice for piper that sings each phoneme as a tone of 36 ms.

It has the inputs and the output of a real voice, and 4 KB instead of 60 MB. Needs the packages numpy and onnx.
"""

import json

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

RATE, SAMPLES = 22_050, 800
# Padding, begin and end, as piper wants them; then what espeak-ng makes of English, in no order.
PHONEMES = "_^$ .,;:!?'-abcdefghijklmnoprstuvwxyzæðŋɐɑɒɔəɚɛɜɡɪɬɹɾʃʊʌʒʔˈˌːθᵻ̩"


def constant(name, value, kind):
    return numpy_helper.from_array(numpy.array(value, dtype=kind), name)


def node(operation, inputs, output, **attributes):
    return helper.make_node(operation, inputs.split(), [output], **attributes)


nodes = [
    node("Cast", "input", "ids", to=TensorProto.FLOAT),
    node("Mul", "ids step", "steps"),
    node("Add", "steps lowest", "hertz"),
    node("Reshape", "hertz column", "rows"),
    node("Mul", "rows ones", "grid"),
    node("Reshape", "grid flat", "line"),
    node("CumSum", "line zero", "turns"),
    node("Mul", "turns radians", "phase"),
    node("Sin", "phase", "sine"),
    node("Mul", "sine half", "tones"),
    # The two inputs that tones do not need; piper gives them to every voice.
    node("ReduceMin", "scales", "scale", keepdims=0),
    node("Cast", "input_lengths", "lengths", to=TensorProto.FLOAT),
    node("ReduceMin", "lengths", "length", keepdims=0),
    node("Add", "scale length", "unused"),
    node("Mul", "unused nothing", "silence"),
    node("Add", "tones silence", "sum"),
    node("Reshape", "sum shape", "output"),
]
constants = [
    constant("step", 5, "float32"),
    constant("lowest", 100, "float32"),
    constant("column", [-1, 1], "int64"),
    constant("ones", numpy.ones((1, SAMPLES)), "float32"),
    constant("flat", [-1], "int64"),
    constant("zero", 0, "int64"),
    constant("radians", 2 * numpy.pi / RATE, "float32"),
    constant("half", 0.5, "float32"),
    constant("nothing", 0, "float32"),
    constant("shape", [1, 1, 1, -1], "int64"),
]
graph = helper.make_graph(
    nodes,
    "tones",
    [
        helper.make_tensor_value_info("input", TensorProto.INT64, [1, "phonemes"]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, 1, "samples"])],
    constants,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)])
model.ir_version = 8
onnx.checker.check_model(model)
onnx.save(model, "tones.onnx")

configuration = {
    "audio": {"sample_rate": RATE},
    "espeak": {"voice": "en-us"},
    "phoneme_type": "espeak",
    "inference": {"noise_scale": 0, "length_scale": 1, "noise_w": 0},
    "num_symbols": 256,
    "num_speakers": 1,
    "phoneme_id_map": {phoneme: [number] for number, phoneme in enumerate(PHONEMES)},
}
with open("tones.onnx.json", "w") as file:
    json.dump(configuration, file, ensure_ascii=False)
    file.write("\n")
