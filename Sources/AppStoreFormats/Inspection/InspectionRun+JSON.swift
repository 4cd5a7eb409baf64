import Crypto
import FastJSON
import Foundation
import Perennial

/// JSON: requests and answers of Apple's APIs, notifications, configuration files.
extension InspectionRun {
    /// - Returns: `nil` for text that is no JSON.
    mutating func inspectJSON(_ bytes: [UInt8], _ layers: Layers) -> Inspection? {
        (try? StoreKitJSONParser.value(of: bytes)).map { inspect($0, layers) }
    }

    mutating func inspect(_ value: StoreKitJSON, _ layers: Layers) -> Inspection {
        if case .array(let elements) = value, let chain = Self.certificates(in: elements) {
            return inspectCertificates(chain, isOrdered: true).wrapped(layers)
        }
        guard case .object(let object) = value else {
            var inspection = Inspection(.json)
            inspection.pass(.structure, .init(.structureJSON))
            inspection.fields = fields(of: StoreKitJSON.Object([.init("", value)]))
            inspection.json = value.description
            inspection.references = Self.references(in: value)
            addParts(of: value, named: "", to: &inspection)
            if inspection.hasSignedParts { inspection.kind = .serverAPIAnswer }
            return inspection.wrapped(layers)
        }
        if object["receipt-data"] != nil { return inspectRequest(object).wrapped(layers) }
        if object["identifier"] != nil, object["nonRenewingSubscriptions"] != nil || object["subscriptionGroups"] != nil
        {
            return inspectStoreKitFile(object).wrapped(layers)
        }
        if object["signature"] != nil, object["nonce"] != nil { return inspectOffer(object).wrapped(layers) }
        var inspection = Inspection(Self.kind(of: object))
        inspection.pass(.structure, .init(.structureJSON))
        inspection.json = object.description
        inspection.references = Self.references(in: value)
        if inspection.kind == .verifyReceiptAnswer { checkStatus(object, &inspection) }
        if [.decodedPayload, .consumptionRequest, .notificationV1].contains(inspection.kind) {
            inspection.skip(.signature, .init(.notSigned))
            checkOrigin(object, &inspection)
        }
        addReceipts(of: object, to: &inspection)
        inspection.fields = fields(of: object)
        addParts(of: value, named: "", to: &inspection)
        if inspection.kind == .json, inspection.hasSignedParts { inspection.kind = .serverAPIAnswer }
        return inspection.wrapped(layers)
    }

    private static func kind(of object: StoreKitJSON.Object) -> Inspection.Kind {
        if object["signedPayload"] != nil { return .notification }
        if object["notification_type"] != nil { return .notificationV1 }
        if object["status"] != nil, ["receipt", "latest_receipt", "environment"].contains(where: { object[$0] != nil })
        {
            return .verifyReceiptAnswer
        }
        if case .number? = object["status"], object.members.count <= 3 { return .verifyReceiptAnswer }
        if object["externalPurchaseId"] != nil { return .externalPurchaseToken }
        if object["customerConsented"] != nil { return .consumptionRequest }
        if object["operation"] != nil, object["requestInfo"] != nil { return .advancedCommerceRequest }
        if object["transactionId"] != nil || object["notificationType"] != nil || object["autoRenewStatus"] != nil {
            return .decodedPayload
        }
        return .json
    }

    /// A request to verifyReceipt.
    private mutating func inspectRequest(_ object: StoreKitJSON.Object) -> Inspection {
        var inspection = Inspection(.verifyReceiptRequest)
        inspection.pass(.structure, .init(.structureJSON))
        addReceipts(of: object, to: &inspection)
        let password = object[string: "password"]
        if inspection.parts.isEmpty { inspection.fail(.contents, .init(.membersMissing, "receipt-data")) }
        if password != nil {
            inspection.pass(.sharedSecret, .init(.secretGiven))
        } else if inspection.parts.contains(where: { $0.inspection[.sharedSecret] != nil }) {
            inspection.fail(.sharedSecret, .init(.secretMissing))
        }
        inspection.references = inspection.parts.flatMap(\.inspection.references)
        return inspection
    }

    /// Inspects the receipts that JSON has as members.
    private mutating func addReceipts(of object: StoreKitJSON.Object, to inspection: inout Inspection) {
        let places =
            [("", object)]
            + ["unified_receipt", "receipt"].compactMap { name in
                if case .object(let inner) = object[name] { ("\(name).", inner) } else { nil }
            }
        for (path, place) in places {
            for name in ["receipt-data", "latest_receipt", "receipt", "latest_expired_receipt"] {
                guard let text = place[string: name], partsLeft > 0 else { continue }
                partsLeft -= 1
                inspection.parts.append(.init(name: path + name, inspection: inspect(Array(text.utf8), Layers())))
            }
        }
    }

    private func checkStatus(_ object: StoreKitJSON.Object, _ inspection: inout Inspection) {
        let number = object[integer: "status"] ?? -1
        let code: InspectionFinding.Code =
            switch VerifyReceiptStatus(rawValue: number) {
            case .valid: .statusValid
            case .malformedReceipt: .statusMalformed
            case .notAuthentic: .statusNotAuthentic
            case .wrongSharedSecret: .statusSecret
            case .temporarilyUnavailable, .internalDataAccess: .statusLater
            case .subscriptionExpired: .statusExpired
            case .sandboxReceipt: .statusSandbox
            case .productionReceipt: .statusProduction
            case .accountNotFound: .statusAccount
            case _ where VerifyReceiptStatus.internalErrors.contains(number): .statusLater
            default: .statusOther
            }
        let isGood = [.statusValid, .statusExpired].contains(code)
        inspection.checks.append(.init(.status, isGood ? .passed : .failed, .init(code, "\(number)")))
        check(environment: object[string: "environment"], isReceipt: false, &inspection)
    }

    /// A `.storekit` file, whose private key isn't shown.
    private mutating func inspectStoreKitFile(_ object: StoreKitJSON.Object) -> Inspection {
        var inspection = Inspection(.storeKitFile)
        var count = 0
        for name in ["products", "nonRenewingSubscriptions"] {
            if case .array(let products) = object[name] { count += products.count }
        }
        if case .array(let groups) = object["subscriptionGroups"] {
            for case .object(let group) in groups {
                if case .array(let subscriptions) = group["subscriptions"] { count += subscriptions.count }
            }
        }
        inspection.pass(.structure, .init(.storeKitImport, "\(count)"))
        inspection.fields = fields(of: object.redacted)
        return inspection
    }

    /// A signature of a promotional offer with the values that were signed.
    private mutating func inspectOffer(_ object: StoreKitJSON.Object) -> Inspection {
        var inspection = Inspection(.offerSignature)
        func text(_ names: String...) -> String? { names.lazy.compactMap { object[string: $0] }.first }
        inspection.fields = fields(of: object)
        let timestamp = object[double: "timestamp"] ?? text("timestamp").flatMap(Double.init)
        let parts = [
            ("bundleID", text("bundleID", "bundleId", "appBundleID", "bid")),
            ("keyIdentifier", text("keyIdentifier", "keyID", "keyId", "kid")),
            ("productIdentifier", text("productIdentifier", "productID", "productId")),
            ("offerIdentifier", text("offerIdentifier", "offerID", "offerId", "identifier")),
            ("nonce", text("nonce")), ("timestamp", timestamp.map { "\($0)" }),
        ]
        let missing = parts.filter { $0.1 == nil }.map(\.0)
        guard missing.isEmpty, let timestamp, (0...253_402_300_799_000).contains(timestamp) else {
            inspection.fail(
                .contents, .init(.membersMissing, missing.isEmpty ? "timestamp" : missing.joined(separator: ", ")))
            return inspection
        }
        inspection.pass(.contents, .init(.contentsRead))
        let values = parts.map { $0.1 ?? "" }
        let signed = PromotionalOfferSignature(
            bundleID: App.BundleID(rawValue: values[0]), keyID: values[1], productID: Product.ID(rawValue: values[2]),
            offerID: values[3], accountToken: text("applicationUsername", "username", "appAccountToken") ?? "",
            nonce: values[4], timestamp: Instant(milliseconds: Int64(timestamp)))
        check(bundleID: values[0], &inspection)
        checkFreshness(signed.timestamp, &inspection)
        inspection.references = [.init(.key, String(values[1].prefix(64)))]
        let key = checkKey(values[1], for: .promotionalOffer, bundleID: values[0], &inspection)
        guard let key, let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey) else {
            inspection.skip(.signature, .init(.signatureUnchecked))
            return inspection
        }
        let bytes = text("signature").flatMap { PastedText.lenient($0)?.bytes } ?? []
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
        if let signature, publicKey.isValidSignature(signature, for: Array(signed.text.utf8)) {
            inspection.pass(.signature, .init(.signatureFits))
        } else {
            inspection.fail(.signature, .init(.signatureDoesNotFit), bytes: bytes)
        }
        return inspection
    }
}

extension Inspection {
    /// True if something inside is signed data of the App Store, as in the answers of its server.
    fileprivate var hasSignedParts: Bool {
        let kinds: Set<Kind> = [
            .signedTransaction, .signedRenewalInfo, .signedNotification, .signedAppTransaction, .signedData,
        ]
        return parts.contains { kinds.contains($0.inspection.kind) }
    }
}
