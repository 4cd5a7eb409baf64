import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PerennialStore

/// What verifiers ask for: the issuers' certificates, and the status of those they issued (OCSP over HTTP, RFC 6960,
/// appendix A).
struct CertificateRoutes {
    private static let maximumRequestBytes = 16_384

    let authority: CertificateAuthority

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        // The root of signed data is there in any case.
        for issuer in [IssuingCertificate.transactions, .receipts, .receiptRoot] {
            router.get(RouterPath(CertificateURLs.Path.certificate(issuer))) { _, _ in
                Self.answer(authority.certificate(issuer), "application/pkix-cert")
            }
        }
        router.post(RouterPath(CertificateURLs.Path.status)) { request, _ in
            let body = try await request.collected(upTo: Self.maximumRequestBytes)
            return Self.status(authority.certificateStatus(Array(body.readableBytesView)))
        }
        router.get(RouterPath(CertificateURLs.Path.status + "/**")) { request, _ in
            Self.status(authority.certificateStatus(Self.question(in: request.uri.path)))
        }
    }

    /// The request in a path: base64, percent-encoded, or with bare slashes as some clients write it.
    private static func question(in path: String) -> [UInt8] {
        let text = path.dropFirst(CertificateURLs.Path.status.count + 2)
        let base64 = text.removingPercentEncoding ?? String(text)
        return Data(base64Encoded: base64).map(Array.init) ?? []
    }

    private static func status(_ bytes: [UInt8]) -> Response { answer(bytes, "application/ocsp-response") }

    private static func answer(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .contentLength: String(bytes.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
