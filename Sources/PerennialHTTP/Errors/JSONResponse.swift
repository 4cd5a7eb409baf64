import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers in JSON, with keys in order: the same value is the same bytes in every process.
package enum JSONResponse {
    package static func make(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return bytes(Array(try encoder.encode(value)), status: status)
    }

    /// An answer that writes itself: for the routes that are asked most.
    ///
    /// - Parameter capacity: About how many bytes it will have, so that it needn't be moved while it grows.
    static func make(capacity: Int = 1024, write: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(capacity: capacity)
        write(&json)
        return bytes(json.finished())
    }

    package static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.contentLength] = String(bytes.count)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Request {
    /// What the request's body says, whatever its Content-Type.
    ///
    /// - Throws: ``APIError`` `malformedRequest` with the field that is missing or of another type, `bodyTooLarge`.
    package func json<Value: Decodable>(
        _ type: Value.Type = Value.self, upTo limit: Int = 65_536
    ) async throws -> Value {
        try Self.decode(type, from: try await collected(upTo: limit))
    }

    /// What the body says, or nothing for an empty one.
    package func optionalJSON<Value: Decodable>(_ type: Value.Type, upTo limit: Int = 65_536) async throws -> Value? {
        let buffer = try await collected(upTo: limit)
        return buffer.readableBytes == 0 ? nil : try Self.decode(type, from: buffer)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from buffer: ByteBuffer) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw APIError(malformed: error)
        }
    }

    /// The whole body.
    package func collected(upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw APIError(
                .contentTooLarge, "bodyTooLarge", "the body may have \(limit) bytes", skError: 1)
        }
    }
}

extension APIError {
    fileprivate init(malformed error: DecodingError) {
        let (path, problem): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .typeMismatch(let type, let context): (context.codingPath, "is not \(Self.words(for: type))")
            case .valueNotFound(let type, let context):
                (context.codingPath, "is null; \(Self.words(for: type)) is expected")
            case .dataCorrupted(let context):
                (context.codingPath, context.codingPath.isEmpty ? "" : "has a value it can't have")
            @unknown default: ([], "")
            }
        let field = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        self.init(
            .badRequest, "malformedRequest",
            field.isEmpty ? "the body is not the JSON object that is expected" : "\(field) \(problem)",
            field: field.isEmpty ? nil : field, skError: 1)
    }

    private static func words(for type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any Collection.Type: "an array"
        default: "an object"
        }
    }
}
