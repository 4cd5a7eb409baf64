import AppStoreFormats
import FastJSON
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Makes answers in JSON with sorted keys: the same value is the same bytes in every process.
package enum JSONResponse {
    package static func make(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        bytes(try encode(value), status: status)
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Makes an answer that writes itself: for the busiest routes.
    ///
    /// - Parameter capacity: About how many bytes it will have, so that it needn't be moved while it grows.
    static func make(capacity: Int = 1024, write: (inout JSONWriter) -> Void) -> Response {
        buffer(Self.write(capacity: capacity, write))
    }

    /// Writes JSON into a buffer for answers.
    static func write(capacity: Int, _ write: (inout JSONWriter) -> Void) -> ByteBuffer {
        var json = JSONWriter(capacity: capacity)
        write(&json)
        return json.withUnsafeBytes { ByteBuffer(bytes: $0) }
    }

    package static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        buffer(ByteBuffer(bytes: bytes), status: status)
    }

    static func buffer(_ buffer: ByteBuffer, status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.contentLength] = String(buffer.readableBytes)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
    }
}

extension Request {
    /// Decodes the request's body, whatever its Content-Type.
    ///
    /// - Throws: ``APIError`` `malformedRequest` with the field that is missing or of another type, `bodyTooLarge`.
    package func json<Value: Decodable>(
        _ type: Value.Type = Value.self, upTo limit: Int = 65_536
    ) async throws -> Value {
        try Self.decode(type, from: try await collected(upTo: limit))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from buffer: ByteBuffer) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw APIError(malformed: error) { MalformedNumber.path(in: buffer, decodedAs: type) }
        }
    }

    /// Reads the whole body.
    ///
    /// - Throws: ``APIError`` `bodyTooLarge`, and the errors of ``wholeBody(upTo:)``.
    package func collected(upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await wholeBody(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw APIError(
                .contentTooLarge, "bodyTooLarge", "the body may have \(limit) bytes", skError: 1)
        }
    }

    /// Reads the whole body: the only place that does, because a client that sends half of one is no error of ours.
    ///
    /// - Throws: `NIOTooManyBytesError`; ``APIError`` `malformedRequest` where the bytes are no HTTP, or the client has
    ///   gone before their end.
    func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch let error where error is HTTPParserError || error is IOError || error is ChannelError {
            throw APIError(.badRequest, "malformedRequest", "the request's body is incomplete", skError: 1)
        }
    }
}
