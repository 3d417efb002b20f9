import ControlAPI
import NIOCore

/// A problem with the reasons why items were refused, as JSON text: there may be a hundred thousand.
enum ProblemText {
    /// The text.
    static func encode(_ problem: ProblemJSON, _ errors: [ProblemJSON.ItemError]) -> ByteBuffer {
        var text = JSONText()
        text.object { text in
            text.name("code")
            text.value(problem.code)
            text.name("detail")
            text.value(problem.detail)
            text.name("errors")
            text.array(errors) { text, error in
                text.object { text in
                    text.name("field")
                    text.value(error.field)
                    text.name("index")
                    text.value(Int64(error.index))
                    text.name("reason")
                    text.value(error.reason)
                }
            }
            text.name("status")
            text.value(Int64(problem.status))
            text.name("title")
            text.value(problem.title)
            text.name("type")
            text.value(problem.type)
        }
        return text.buffer
    }
}
