import ControlAPI
import HTTPTypes
import JobModel

/// An endpoint of the control socket.
///
/// One row defines everything about it. Routing, the checks before a body is read, the limits and the
/// OpenAPI document all come from these rows (``all``), so they can't disagree.
struct Endpoint: Sendable {
    /// The operation's id in the OpenAPI document: a verb and its object.
    let id: String
    /// The method; GET includes HEAD.
    let method: HTTPRequest.Method
    /// The path.
    let path: PathTemplate
    /// A sentence for the OpenAPI document that says what it does.
    let summary: String
    /// The query parameters and header fields that it reads, in the order of the OpenAPI document.
    let parameters: [any ReadParameter]
    /// The description of the request's body; nil if no body is read.
    let body: BodyShape?
    /// The description of the answer when all goes well.
    let answer: AnswerShape
    /// The problems specific to this endpoint, besides those of all endpoints of its kind.
    let ownProblems: [ProblemCode]
    /// The function that answers requests.
    let handler: Handler

    /// A way to answer a request.
    enum Handler: Sendable {
        /// An answer that is complete before it is sent.
        case reply(@Sendable (RequestHandler, Call) async throws -> Reply)
        /// A job's document, which may be larger than memory.
        case document
        /// A job's document as a picture to show.
        case picture(PictureSize)
        /// The event stream, which goes on until the client disconnects or the server stops.
        case eventStream
    }

    /// Creates a row with an explicit description of the answer.
    init(
        _ method: HTTPRequest.Method,
        _ path: PathTemplate,
        id: String,
        _ summary: String,
        parameters: [any ReadParameter] = [],
        body: BodyShape? = nil,
        answer: AnswerShape,
        problems: [ProblemCode] = [],
        handler: Handler
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.answer = answer
        ownProblems = problems
        self.handler = handler
    }

    /// Creates a row that answers with an object, described by its shape.
    init<Answer: APIObject>(
        _ method: HTTPRequest.Method,
        _ path: PathTemplate,
        id: String,
        _ summary: String,
        parameters: [any ReadParameter] = [],
        problems: [ProblemCode] = [],
        _ handle: @escaping @Sendable (RequestHandler, Call) async throws -> Answer
    ) {
        self.init(
            method,
            path,
            id: id,
            summary,
            parameters: parameters,
            answer: AnswerShape(schema: Answer.schema),
            problems: problems,
            handler: .reply { .json(try await handle($0, $1)) }
        )
    }

    /// Creates a row that reads a small body and answers with an object.
    init<Said, Answer: APIObject>(
        _ method: HTTPRequest.Method,
        _ path: PathTemplate,
        id: String,
        _ summary: String,
        parameters: [any ReadParameter] = [],
        body: SmallBody<Said>,
        problems: [ProblemCode] = [],
        _ handle: @escaping @Sendable (RequestHandler, Call, Said) async throws -> Answer
    ) {
        self.init(
            method,
            path,
            id: id,
            summary,
            parameters: parameters,
            body: body.shape,
            answer: AnswerShape(schema: Answer.schema),
            problems: problems,
            handler: .reply { .json(try await handle($0, $1, try body.read($1.body, by: $1.user))) }
        )
    }
}
