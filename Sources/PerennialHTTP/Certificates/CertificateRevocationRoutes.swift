import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/certificates, once for the whole process: the leaves in use, and the revoked ones.
struct CertificateRevocationRoutes {
    private struct List: AnswerModel {
        struct Leaf: Model, Encodable {
            var purpose: String
            var serialNumber: String

            static let constraints: [String: Constraint] = ["purpose": .oneOf(SigningLeaf.self)]
        }

        struct Revoked: Model, Encodable {
            var serialNumber: String
            var revokedAt: String
            var reason: Int

            static let constraints: [String: Constraint] = ["revokedAt": .time]
        }

        var signing: [Leaf]
        var revoked: [Revoked]
    }

    private struct RevocationBody: RequestModel {
        var purpose: String?
        var serialNumber: String?
        var reason: Int?

        static let constraints: [String: Constraint] = [
            "purpose": .oneOf(SigningLeaf.self),
            "serialNumber": .described(
                "Of the leaf of this purpose that is meant. One that is revoked already stays as it is"),
            "reason": .oneOf(CertificateRevocation.Reason.allCases.map { Int64($0.rawValue) }).and(
                .described("Of RFC 5280")),
        ]
    }

    private struct RevocationAnswer: AnswerModel {
        var purpose: String
        var serialNumber: String
        var revokedAt: String
        var reason: Int
        var replacement: String

        static let constraints: [String: Constraint] = ["purpose": .oneOf(SigningLeaf.self), "revokedAt": .time]
    }

    let authority: CertificateAuthority

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("certificates", "The leaves in use, and the revoked ones", use: list)
        routes.post("certificates/revoke", "Revoke a leaf and sign with a new one", errors: [404], use: revoke)
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) throws -> List {
        let revoked = try authority.revocations().sorted { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
        return List(
            signing: authority.leaves().map {
                List.Leaf(purpose: $0.purpose.rawValue, serialNumber: $0.serialNumber)
            },
            revoked: revoked.map {
                List.Revoked(
                    serialNumber: $0.key, revokedAt: $0.value.date.rfc3339(), reason: $0.value.reason.rawValue)
            })
    }

    private func revoke(_ call: Call<RevocationBody?>, _ context: ControlContext) async throws -> RevocationAnswer {
        let body = try await call.body() ?? RevocationBody()
        guard let reason = CertificateRevocation.Reason(rawValue: body.reason ?? 0) else {
            let reasons = CertificateRevocation.Reason.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw APIError(.badRequest, "malformedRequest", "reason is one of: \(reasons)", field: "reason")
        }
        let leaf: SigningLeaf = try ControlFields.value(
            body.purpose ?? SigningLeaf.transactions.rawValue, field: "purpose")
        let revoked: CertificateAuthority.Revoked
        do {
            revoked = try await authority.revoke(leaf, body.serialNumber, reason: reason)
        } catch is CertificateAuthority.NotInUse {
            throw APIError(
                .notFound, "certificateNotFound",
                "no leaf with this serial number signs \(leaf.rawValue) or was revoked; GET control/v1/certificates lists them",
                field: "serialNumber")
        }
        return RevocationAnswer(
            purpose: revoked.purpose.rawValue, serialNumber: revoked.serialNumber,
            revokedAt: revoked.revocation.date.rfc3339(), reason: revoked.revocation.reason.rawValue,
            replacement: revoked.replacement)
    }
}
