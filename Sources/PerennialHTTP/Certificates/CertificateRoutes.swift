import AppStoreFormats
import BaseEncoding
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PerennialStore

/// The issuers' certificates, and the status of the certificates they issued (OCSP over HTTP, RFC 6960, appendix A), for
/// verifiers.
struct CertificateRoutes {
    static let certificateType = "application/pkix-cert"
    private static let maximumRequestBytes = 16_384

    let authority: CertificateAuthority

    func add(to open: RouteGroup<BasicConnectionContext>, _ router: some RouterMethods<BasicConnectionContext>) {
        // The root of signed data is there in any case.
        let issuers: [(IssuingCertificate, String)] = [
            (.receiptRoot, "The root certificate of receipts, in DER"),
            (.transactions, "The certificate that issues transactions' leaves, in DER"),
            (.receipts, "The certificate that issues receipts' leaves, in DER"),
        ]
        for (issuer, summary) in issuers {
            open.get(
                CertificateURLs.Path.certificate(issuer), summary, answers: [.bytes(Self.certificateType)]
            ) { (_: Call<NoBody>, _) in Self.answer(authority.certificate(issuer), Self.certificateType) }
        }
        router.post(RouterPath(CertificateURLs.Path.status)) { request, _ in
            let body = try await request.collected(upTo: Self.maximumRequestBytes)
            return Self.status(await authority.certificateStatus(Array(body.readableBytesView)))
        }
        router.get(RouterPath(CertificateURLs.Path.status + "/**")) { request, _ in
            Self.status(await authority.certificateStatus(Self.question(in: request.uri.path)))
        }
    }

    /// The request in a path: base64, percent-encoded, or with bare slashes as some clients write it.
    private static func question(in path: String) -> [UInt8] {
        let text = path.dropFirst(CertificateURLs.Path.status.count + 2)
        let base64 = text.removingPercentEncoding ?? String(text)
        return Base64.decode(base64) ?? []
    }

    private static func status(_ bytes: [UInt8]) -> Response { answer(bytes, "application/ocsp-response") }

    private static func answer(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .contentLength: String(bytes.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// `GET certificates/root.cer`: the root of all that is signed, below each environment's base URL, because a content server or
/// a backend knows nothing else of the store.
struct RootCertificateRoute: Sendable {
    let stores: StoreResolver
    /// DER.
    let certificate: [UInt8]

    func add(to open: RouteGroup<BasicConnectionContext>) {
        open.get(
            "certificates/root.cer", "The root certificate of signed data, in DER",
            answers: [.bytes(CertificateRoutes.certificateType)]
        ) { (_: Call<NoBody>, context) in
            // An environment that isn't there has none.
            _ = try await stores.store(for: context)
            return Response(
                status: .ok, headers: [.contentType: CertificateRoutes.certificateType],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: certificate)))
        }
    }
}
