import Foundation

/// JSON as tests look at it.
enum JSONText {
    static func object(_ text: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }
}
