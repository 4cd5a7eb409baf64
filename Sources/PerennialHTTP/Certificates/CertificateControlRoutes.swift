import AppStoreFormats
import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/certificates, once for the whole process: the leaves in use, and what was revoked.
struct CertificateControlRoutes {
    private struct List: Encodable {
        struct Leaf: Encodable {
            var purpose: String
            var serialNumber: String
        }

        struct Revoked: Encodable {
            var serialNumber: String
            var revokedAt: String
            var reason: Int
        }

        var signing: [Leaf]
        var revoked: [Revoked]
    }

    private struct RevocationBody: Decodable {
        var purpose: String?
        var reason: Int?
    }

    private struct RevocationAnswer: Encodable {
        var purpose: String
        var serialNumber: String
        var revokedAt: String
        var reason: Int
        var replacement: String
    }

    let control: ControlRoutes
    let authority: CertificateAuthority

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/certificates") { request, context in
            _ = try await control.authorized(request, context)
            let revoked = try authority.revocations().sorted { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
            return try JSONResponse.make(
                List(
                    signing: authority.leaves().map {
                        List.Leaf(purpose: $0.purpose.rawValue, serialNumber: $0.serialNumber)
                    },
                    revoked: revoked.map {
                        List.Revoked(
                            serialNumber: $0.key, revokedAt: $0.value.date.rfc3339(), reason: $0.value.reason.rawValue)
                    }))
        }
        router.post("control/v1/certificates/revoke") { request, context in
            _ = try await control.authorized(request, context)
            let body = try await request.optionalControlJSON(RevocationBody.self) ?? RevocationBody()
            guard let reason = Revocation.Reason(rawValue: body.reason ?? 0) else {
                let reasons = Revocation.Reason.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
                throw APIError(.badRequest, "malformedRequest", "reason is one of: \(reasons)", field: "reason")
            }
            let leaf: SigningLeaf = try control.parse(
                body.purpose ?? SigningLeaf.transactions.rawValue, field: "purpose")
            let revoked = try authority.revoke(leaf, reason: reason)
            return try JSONResponse.make(
                RevocationAnswer(
                    purpose: revoked.purpose.rawValue, serialNumber: revoked.serialNumber,
                    revokedAt: revoked.revocation.date.rfc3339(), reason: revoked.revocation.reason.rawValue,
                    replacement: revoked.replacement))
        }
    }
}
