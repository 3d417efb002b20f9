import ControlAPI

/// A text as JSON, and as jq, which has the same strings, has it.
enum JSONString {
    static func of(_ text: String) -> String { JSONText.string(text) }
}
