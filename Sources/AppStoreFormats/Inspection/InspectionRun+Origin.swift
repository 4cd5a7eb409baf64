import Foundation

/// The checks that all kinds of data share: when it was signed, in which environment, for which app.
extension InspectionRun {
    /// The tolerated difference between the clocks of signer and store.
    private static let clockSkew: Int64 = 60_000

    /// Checks that data wasn't signed in the future, by the environment's clock and by the wall clock.
    func checkSigned(_ date: Date?, _ inspection: inout Inspection) {
        guard let date else { return inspection.skip(.signingTime, .init(.signingTimeMissing)) }
        let now = max(context.now, context.wallClock)
        let text = InspectionDate.text(date)
        if date.timeIntervalSince1970 * 1000 > Double(now + Self.clockSkew) {
            let present = InspectionDate.text(milliseconds: Double(now)) ?? ""
            inspection.fail(.signingTime, .init(.signedInFuture, text, present))
        } else {
            inspection.pass(.signingTime, .init(.signedAt, text))
        }
    }

    /// Checks environment and bundle ID of a payload, which may have them in an object inside.
    func checkOrigin(_ payload: StoreKitJSON.Object, _ inspection: inout Inspection) {
        let places =
            [payload]
            + ["data", "summary", "appData", "externalPurchaseToken"].compactMap { name in
                if case .object(let object) = payload[name] { object } else { nil }
            }
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { name in places.lazy.compactMap { $0[string: name] }.first }.first
        }
        let environment = text("environment", "receiptType")
        // Notifications of version 1 shorten the name.
        let name = environment == "PROD" ? AppStoreEnvironment.production.rawValue : environment
        check(environment: name, isReceipt: false, &inspection)
        check(bundleID: text("bundleId", "bid"), &inspection)
    }

    func check(environment: String?, isReceipt: Bool, _ inspection: inout Inspection) {
        guard let environment else { return }
        if ["Xcode", "LocalTesting"].contains(environment) {
            return inspection.fail(.environment, .init(.environmentXcode))
        }
        guard let expected = context.environment else {
            return inspection.pass(.environment, .init(.environmentUnknown, environment))
        }
        if environment == expected {
            inspection.pass(.environment, .init(.environmentFits, environment))
        } else if isReceipt {
            let status = expected == "Production" ? "21007" : "21008"
            inspection.fail(.environment, .init(.receiptElsewhere, environment, expected, status))
        } else {
            inspection.fail(.environment, .init(.environmentDiffers, environment, expected))
        }
    }

    func check(bundleID: String?, _ inspection: inout Inspection) {
        guard let bundleID else { return }
        if let apps = context.apps, !apps.contains(bundleID) {
            inspection.fail(.bundleID, .init(.appUnknown, bundleID))
        } else if let expected = context.bundleID, expected != bundleID {
            inspection.fail(.bundleID, .init(.bundleIDDiffers, bundleID, expected))
        } else {
            inspection.pass(
                .bundleID, .init(context.bundleID == nil ? .bundleIDUnknown : .bundleIDFits, bundleID))
        }
    }

    // MARK: - Contents

    /// Returns the members of an object as fields, as long as fields are left.
    mutating func fields(of object: StoreKitJSON.Object) -> [Inspection.Field] {
        var fields: [Inspection.Field] = []
        for member in object.members {
            guard let field = field(member.key, member.value) else { break }
            fields.append(field)
        }
        return fields
    }

    private mutating func field(_ name: String, _ value: StoreKitJSON) -> Inspection.Field? {
        guard fieldsLeft > 0 else { return nil }
        fieldsLeft -= 1
        let meaning = FieldMeanings.meaning(of: name)
        switch value {
        case .null: return Inspection.Field(name, "null", meaning: meaning)
        case .bool(let bool): return Inspection.Field(name, "\(bool)", meaning: meaning)
        case .number(let text):
            return Inspection.Field(name, text, note: FieldMeanings.note(name, number: text), meaning: meaning)
        case .string(let text):
            let isSecret = ["password", StoreKitJSON.Object.secretKey].contains(name)
            let shown = isSecret ? "…" : String(text.prefix(1_000))
            return Inspection.Field(name, shown, note: FieldMeanings.note(name, text: text), meaning: meaning)
        case .object(let object):
            return Inspection.Field(name, "", meaning: meaning, fields: fields(of: object))
        case .array(let elements):
            var fields: [Inspection.Field] = []
            for (index, element) in elements.enumerated() {
                guard let field = field("\(index + 1)", element) else { break }
                fields.append(field)
            }
            return Inspection.Field(name, elements.isEmpty ? "[]" : "", meaning: meaning, fields: fields)
        }
    }

    /// Inspects the signed data inside of JSON.
    mutating func addParts(of value: StoreKitJSON, named name: String, to inspection: inout Inspection) {
        switch value {
        case .string(let text) where text.hasPrefix("ey") && PastedText.isCompactJWS(text):
            guard partsLeft > 0 else {
                let finding = InspectionFinding(.partsLeftOut, "\(Inspector.maximumParts)")
                if !inspection.layers.contains(finding) { inspection.layers.append(finding) }
                return
            }
            partsLeft -= 1
            let inner = inspect(Array(text.utf8), Layers())
            inspection.parts.append(Inspection.Part(name: name, inspection: inner))
            inspection.references += inner.references.filter { !inspection.references.contains($0) }
        case .string(let text):
            guard !inspection.parts.contains(where: { $0.name == name }), let inner = inspectMember(text) else {
                return
            }
            inspection.parts.append(Inspection.Part(name: name, inspection: inner))
            inspection.references += inner.references.filter { !inspection.references.contains($0) }
        case .object(let object):
            for member in object.members {
                addParts(of: member.value, named: name.isEmpty ? member.key : "\(name).\(member.key)", to: &inspection)
            }
        case .array(let elements):
            if partsLeft > 0, let chain = Self.certificates(in: elements) {
                partsLeft -= 1
                inspection.parts.append(
                    Inspection.Part(name: name, inspection: inspectCertificates(chain, isOrdered: true)))
                return
            }
            for (index, element) in elements.enumerated() {
                addParts(of: element, named: "\(name)[\(index)]", to: &inspection)
            }
        default: break
        }
    }

    /// The most references that are collected.
    private static let maximumReferences = 50

    private static let referenceNames: [String: InspectionReference.Kind] = [
        "transactionId": .transaction, "originalTransactionId": .transaction, "transaction_id": .transaction,
        "original_transaction_id": .transaction, "bundleId": .app, "bundle_id": .app, "bid": .app,
        "productId": .product, "product_id": .product, "autoRenewProductId": .product,
        "notificationUUID": .notification, "appAccountToken": .accountToken, "kid": .key,
    ]

    /// Returns the IDs in contents that may name something in a store.
    static func references(in value: StoreKitJSON) -> [InspectionReference] {
        var found: [InspectionReference] = []
        func look(_ value: StoreKitJSON) {
            guard found.count < maximumReferences else { return }
            switch value {
            case .object(let object):
                for member in object.members {
                    if let kind = referenceNames[member.key] {
                        let id: String? =
                            switch member.value {
                            case .string(let text): text
                            case .number(let text): text
                            default: nil
                            }
                        let reference = InspectionReference(kind, String((id ?? "").prefix(255)))
                        if id != nil, !found.contains(reference) { found.append(reference) }
                    }
                    look(member.value)
                }
            case .array(let elements): elements.prefix(maximumReferences).forEach(look)
            default: break
            }
        }
        look(value)
        return found
    }
}
