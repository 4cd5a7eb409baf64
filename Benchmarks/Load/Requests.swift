import NIOCore

/// Requests as they go over the wire.
enum Requests {
    static func post(_ path: String, _ body: String, headers: [String] = []) -> ByteBuffer {
        request("POST", path, ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + headers, body)
    }

    static func get(_ path: String, headers: [String] = []) -> ByteBuffer {
        request("GET", path, headers, "")
    }

    private static func request(_ method: String, _ path: String, _ headers: [String], _ body: String) -> ByteBuffer {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers
        return ByteBuffer(string: lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
    }
}
