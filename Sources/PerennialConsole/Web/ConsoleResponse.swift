import HTTPTypes
import Hummingbird
import NIOCore

/// Makes the console's answers.
enum ConsoleResponse {
    static func html(_ text: String, status: Int = 200, headers: HTTPFields = [:]) -> Response {
        var fields = headers
        fields[.contentType] = "text/html; charset=utf-8"
        return Response(
            status: HTTPResponse.Status(code: status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// - Parameter path: A path of this server.
    static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }

    static func file(_ file: ConsoleFile) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: file.contentType, .contentDisposition: DownloadDisposition.attachment(file.name),
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    static func asset(_ asset: ConsoleAsset) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: asset.contentType, .cacheControl: ConsoleAsset.cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}

extension Response {
    /// Adds the fields that each answer of the console has.
    func secured() -> Response {
        var response = self
        response.headers[.contentSecurityPolicy] = ConsoleAsset.contentSecurityPolicy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[HTTPField.Name("Referrer-Policy")!] = "same-origin"
        response.headers[HTTPField.Name("X-Frame-Options")!] = "DENY"
        response.headers[HTTPField.Name("Cross-Origin-Opener-Policy")!] = "same-origin"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
