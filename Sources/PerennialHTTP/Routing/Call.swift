import HTTPTypes
import Hummingbird
import NIOCore

/// A request of a described operation: its body is read as the type that the document describes.
struct Call<Body: CallBody>: Sendable {
    let request: Request
    /// The limit in bytes.
    let maximumBodyLength: Int
    let refusesUnknownFields: Bool
    fileprivate let queryParameters: [QueryParameter]

    init(_ request: Request, maximumBodyLength: Int, refusesUnknownFields: Bool, query: [QueryParameter]) {
        self.request = request
        self.maximumBodyLength = maximumBodyLength
        self.refusesUnknownFields = refusesUnknownFields
        queryParameters = query
    }

    /// Reads the body.
    ///
    /// - Throws: ``APIError`` `malformedRequest` with the field, `bodyTooLarge`.
    func body() async throws -> Body {
        try Body.read(try await request.collected(upTo: maximumBodyLength), refusesUnknownFields: refusesUnknownFields)
    }

    /// A parameter of the query, which the operation has to declare.
    func query(_ parameter: QueryParameter) -> String? {
        assert(queryParameters.contains { $0.name == parameter.name }, "\(parameter.name) isn't described")
        return request.uri.queryParameters[parameter.name[...]].map(String.init)
    }

    /// A parameter that the query has to have.
    ///
    /// - Throws: ``APIError`` `malformedRequest` with its name, also if it is empty.
    func required(_ parameter: QueryParameter) throws -> String {
        guard let text = query(parameter), !text.isEmpty else {
            throw APIError(
                .badRequest, "malformedRequest", "the query needs \(parameter.name)", field: parameter.name)
        }
        return text
    }
}

/// The body of a described request.
protocol CallBody: Sendable {
    /// `nil` for a request without one.
    static func description(refusesUnknownFields: Bool) -> RequestBodyDescription?
    static func read(_ buffer: ByteBuffer, refusesUnknownFields: Bool) throws -> Self
}

/// A request without a body.
struct NoBody: CallBody {
    static func description(refusesUnknownFields: Bool) -> RequestBodyDescription? { nil }
    static func read(_ buffer: ByteBuffer, refusesUnknownFields: Bool) -> NoBody { NoBody() }
}

/// A request's JSON object.
protocol RequestModel: Model, CallBody {}

extension RequestModel {
    static func description(refusesUnknownFields: Bool) -> RequestBodyDescription? {
        RequestBodyDescription(isRequired: true) {
            try ModelSchema.schema(of: Self.self, .request(refusesUnknownFields: refusesUnknownFields))
        }
    }

    static func read(_ buffer: ByteBuffer, refusesUnknownFields: Bool) throws -> Self {
        let value = try Request.decode(Self.self, from: buffer)
        if refusesUnknownFields { try Request.refuseUnknownFields(of: value, in: buffer) }
        return value
    }
}

/// A body that may be left out.
extension Optional: CallBody where Wrapped: CallBody {
    static func description(refusesUnknownFields: Bool) -> RequestBodyDescription? {
        Wrapped.description(refusesUnknownFields: refusesUnknownFields).map {
            RequestBodyDescription(isRequired: false, schema: $0.schema)
        }
    }

    static func read(_ buffer: ByteBuffer, refusesUnknownFields: Bool) throws -> Wrapped? {
        buffer.readableBytes == 0 ? nil : try Wrapped.read(buffer, refusesUnknownFields: refusesUnknownFields)
    }
}

/// The answer of a described operation.
protocol CallAnswer: Sendable {
    /// - Parameter status: The operation's, where the answer has none of its own.
    static func descriptions(status: Int) -> [AnswerDescription]
    func response(status: HTTPResponse.Status) throws -> Response
}

/// An answer's JSON object.
protocol AnswerModel: Model, Encodable, CallAnswer {}

extension AnswerModel {
    static func descriptions(status: Int) -> [AnswerDescription] { [.json(Self.self, status: status)] }

    func response(status: HTTPResponse.Status) throws -> Response { try JSONResponse.make(self, status: status) }
}

/// An answer without a body: 204.
struct NoContent: CallAnswer {
    static func descriptions(status: Int) -> [AnswerDescription] { [.empty(204)] }
    func response(status: HTTPResponse.Status) -> Response { Response(status: .noContent) }
}

/// An answer that its operation describes in words: bytes of a file, or several statuses.
extension Response: CallAnswer {
    static func descriptions(status: Int) -> [AnswerDescription] { [] }
    func response(status: HTTPResponse.Status) -> Response { self }
}
