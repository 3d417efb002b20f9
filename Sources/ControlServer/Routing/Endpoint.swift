import ControlAPI
import HTTPTypes

/// Something that can be asked of the control socket.
///
/// One row says all there is to say of it. Routing, the refusals before a body is read, the limits
/// and the OpenAPI document come from the rows (``all``), so that they can't disagree.
struct Endpoint: Sendable {
    /// What the document calls it: a verb, and what it is about.
    let id: String
    /// The method; a GET is there for HEAD as well.
    let method: HTTPRequest.Method
    /// Where it is.
    let path: PathTemplate
    /// What it does, one sentence for the document.
    let summary: String
    /// The query parameters and header fields that it reads, in the order of the document.
    let parameters: [any ReadParameter]
    /// What a request may say; nil where a body is not read.
    let body: BodyShape?
    /// What it answers when all goes well.
    let answer: AnswerShape
    /// What can go wrong with it, besides what can with every one of its kind.
    let ownProblems: [ProblemCode]
    /// What answers.
    let handler: Handler

    /// What answers a request.
    enum Handler: Sendable {
        /// An answer that is whole before it is sent.
        case reply(@Sendable (RequestHandler, Call) async throws -> Reply)
        /// The stream of events, which goes on until the client goes or the server stops.
        case eventStream
    }

    /// A row whose answer is described beside it.
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

    /// A row that answers with an object, which the document describes by its shape.
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

    /// A row that reads a small body and answers with an object.
    init<Said, Answer: APIObject>(
        _ method: HTTPRequest.Method,
        _ path: PathTemplate,
        id: String,
        _ summary: String,
        body: SmallBody<Said>,
        problems: [ProblemCode] = [],
        _ handle: @escaping @Sendable (RequestHandler, Call, Said) async throws -> Answer
    ) {
        self.init(
            method,
            path,
            id: id,
            summary,
            body: body.shape,
            answer: AnswerShape(schema: Answer.schema),
            problems: problems,
            handler: .reply { .json(try await handle($0, $1, try body.read($1.body, by: $1.user))) }
        )
    }
}
