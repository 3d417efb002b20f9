import ControlAPI
import Vocabulary

/// Formats a value as a line of JSON in the API's own shape.
enum JSONLine {
    /// Returns the line, with keys in alphabetical order so that two runs look alike.
    static func text(_ value: some APIObject) -> String {
        // JSON itself only requires that below U+0020. Such characters can only occur in strings.
        String(decoding: value.json, as: UTF8.self).withoutSteering()
    }
}
