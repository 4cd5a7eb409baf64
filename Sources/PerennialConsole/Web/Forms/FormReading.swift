import Hummingbird
import NIOCore
import PerennialHTTP

extension Request {
    /// Reads the form that a request carries.
    ///
    /// - Throws: ``ConsoleError`` `.tooLarge`, `.badRequest`.
    func form(upTo limit: Int) async throws -> FormValues {
        let type = headers[.contentType] ?? ""
        let body = try await limited(upTo: limit) { try await collected(upTo: limit) }
        let bytes = Array(body.readableBytesView)
        if let boundary = MultipartForm.boundary(ofType: type) {
            return try MultipartForm.values(bytes, boundary: boundary)
        }
        guard bytes.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
            throw ConsoleError.badRequest(.phrase(WebPhrases.malformedForm))
        }
        let fields = try URLEncodedForm.fields(bytes)
        // No database holds one.
        guard !fields.values.joined().contains(where: { $0.utf8.contains(0) }) else {
            throw ConsoleError.badRequest(.phrase(WebPhrases.malformedForm))
        }
        return FormValues(fields)
    }

    /// Returns the body of an upload, which is refused beyond a number of bytes.
    ///
    /// - Throws: ``ConsoleError`` `.tooLarge`, at once where the request says its length.
    func upload(upTo limit: Int) throws -> RequestBody {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw ConsoleError.tooLarge(maximum: limit)
        }
        return RequestBody(asyncSequence: BoundedBody(body: body, limit: limit))
    }

    private func limited<Value>(upTo limit: Int, _ read: () async throws -> Value) async throws -> Value {
        do {
            return try await read()
        } catch let error as APIError where error.status == .contentTooLarge {
            throw ConsoleError.tooLarge(maximum: limit)
        }
    }
}

/// A body that fails beyond a number of bytes.
private struct BoundedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let limit: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let limit: Int
        var count = 0

        mutating func next() async throws -> ByteBuffer? {
            guard let part = try await base.next() else { return nil }
            count += part.readableBytes
            guard count <= limit else { throw ConsoleError.tooLarge(maximum: limit) }
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: body.makeAsyncIterator(), limit: limit) }
}
