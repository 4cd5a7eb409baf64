/// Pasted data: recognised, decoded and verified, check by check.
package struct Inspection: Sendable, Equatable {
    /// The kinds of data that are recognised.
    package enum Kind: String, Sendable, CaseIterable {
        case appReceipt, transactionReceipt, verifyReceiptRequest, verifyReceiptAnswer
        case signedTransaction, signedRenewalInfo, signedNotification, signedAppTransaction, signedRealtimeRequest
        case signedData
        case notification, notificationV1, decodedPayload, serverAPIAnswer
        case serverAPIToken, connectToken, offerToken, advancedCommerceToken, offerSignature
        case consumptionRequest, externalPurchaseToken, advancedCommerceRequest
        case privateKey, publicKey, certificate, certificateChain, sharedSecret
        case storeKitFile, report, transactionID, orderID, uuid, curlCommand, propertyList, json, unknown
    }

    /// A check, or the value that it has found.
    package struct Check: Sendable, Equatable {
        /// The checks, in the order in which they are made.
        package enum Name: String, Sendable, CaseIterable {
            case encoding, structure, algorithm, certificateOrder, chain, root, markers, validity, revocation
            case signature, contents, signingTime, environment, bundleID, device, sharedSecret
            case claims, audience, lifetime, key, issuer, known, status
        }

        package enum Outcome: String, Sendable, CaseIterable { case passed, failed, skipped }

        package var name: Name
        package var outcome: Outcome
        /// The result; for a failure the likely reason, and what would be right.
        package var finding: InspectionFinding
        /// The bytes that it is about, in hexadecimal digits; empty without any.
        package var bytes = ""

        package init(_ name: Name, _ outcome: Outcome, _ finding: InspectionFinding, bytes: String = "") {
            self.name = name
            self.outcome = outcome
            self.finding = finding
            self.bytes = bytes
        }
    }

    /// A member of the decoded contents, with its meaning.
    package struct Field: Sendable, Equatable {
        package var name: String
        /// The value; empty where there are fields below it.
        package var value: String
        /// The value's meaning: the date of a number of milliseconds, the name of a status.
        package var note = ""
        /// Apple's description of the field; empty for a field that Apple doesn't document.
        package var meaning = ""
        package var fields: [Field] = []

        package init(_ name: String, _ value: String, note: String = "", meaning: String = "", fields: [Field] = []) {
            self.name = name
            self.value = value
            self.note = note
            self.meaning = meaning
            self.fields = fields
        }
    }

    /// Data inside the data: signed information of a notification, the receipt of a request.
    package struct Part: Sendable, Equatable {
        package var name: String
        package var inspection: Inspection
    }

    package var kind: Kind
    /// The layers that were taken off: quotation marks, URL-encoding, base64.
    package var layers: [InspectionFinding] = []
    package var checks: [Check] = []
    package var fields: [Field] = []
    /// The certificates from the signer's certificate to the root.
    package var certificates: [InspectedCertificate] = []
    package var parts: [Part] = []
    /// IDs in the contents that may name something in a store.
    package var references: [InspectionReference] = []
    /// The decoded contents in JSON; empty for data that isn't JSON, and for secrets.
    package var json = ""

    package init(_ kind: Kind) { self.kind = kind }

    /// Returns true unless a check failed, here or in a part.
    package var succeeded: Bool {
        checks.allSatisfy { $0.outcome != .failed } && parts.allSatisfy(\.inspection.succeeded)
    }

    /// The kinds of the data and of what is inside of it.
    package var kinds: Set<Kind> { parts.reduce(into: [kind]) { $0.formUnion($1.inspection.kinds) } }

    /// Returns a check by its name.
    package subscript(_ name: Check.Name) -> Check? { checks.first { $0.name == name } }
}

/// An ID in inspected data.
package struct InspectionReference: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case transaction, order, notification, app, product, accountToken, key, uuid
    }

    package var kind: Kind
    package var id: String
    /// True if the store has it, false if it has not, `nil` if no store was asked.
    package var isKnown: Bool?

    package init(_ kind: Kind, _ id: String, isKnown: Bool? = nil) {
        self.kind = kind
        self.id = id
        self.isKnown = isKnown
    }
}

/// The knowledge that inspected data is compared with.
package struct InspectionContext: Sendable {
    /// A root that a store signs under.
    package struct Root: Sendable, Equatable {
        package enum Purpose: String, Sendable { case signedData, receipts, both }

        package var purpose: Purpose
        package var certificate: [UInt8]

        package init(_ purpose: Purpose, _ certificate: [UInt8]) {
            self.purpose = purpose
            self.certificate = certificate
        }
    }

    /// A key of the store's database.
    package struct Key: Sendable, Equatable {
        package enum Purpose: String, Sendable { case serverAPI, connectAPI, promotionalOffer }

        package var purpose: Purpose
        package var issuerID: String
        /// X9.63.
        package var publicKey: [UInt8]
        /// RFC 3339; `nil` for a valid key.
        package var revoked: String?
        /// The app's bundle ID; `nil` for a team's key.
        package var bundleID: String?

        package init(
            _ purpose: Purpose, issuerID: String, publicKey: [UInt8], revoked: String?, bundleID: String?
        ) {
            self.purpose = purpose
            self.issuerID = issuerID
            self.publicKey = publicKey
            self.revoked = revoked
            self.bundleID = bundleID
        }
    }

    package var roots: [Root] = []
    /// The certificates in DER below the roots, for a leaf that is pasted alone.
    package var intermediates: [[UInt8]] = []
    /// The revoked certificates by serial number in hexadecimal digits; `nil` if they aren't known.
    package var revocations: [String: CertificateRevocation]?
    /// `Production` or `Sandbox`; `nil` for either.
    package var environment: String?
    /// The bundle ID that is expected; `nil` for any.
    package var bundleID: String?
    /// The bundle IDs of the store's apps; `nil` if they aren't known.
    package var apps: Set<String>?
    /// The raw bytes of the device's identifier, for the hash in a receipt.
    package var device: [UInt8]?
    /// The environment's time, in milliseconds since 1970.
    package var now: Int64
    /// Real time, which tokens are valid by, in milliseconds since 1970.
    package var wallClock: Int64
    /// The keys by ID, as far as they were looked up; `nil` if they aren't known.
    package var keys: [String: Key]?
    /// True if the contents of signed data and receipts are decoded only: chains and signatures aren't checked.
    package var onlyDecodes = false

    package init(now: Int64, wallClock: Int64? = nil) {
        self.now = now
        self.wallClock = wallClock ?? now
    }
}
