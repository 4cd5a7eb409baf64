import BaseEncoding
import CryptoExtras
import Foundation
import Perennial
import X509

/// Receipts of both forms.
extension InspectionRun {
    mutating func inspectReceipt(_ bytes: [UInt8], _ layers: Layers) -> Inspection {
        var inspection = Inspection(.appReceipt)
        checkEncoding(layers, &inspection)
        let container: ParsedReceiptContainer
        do throws(ReceiptError) {
            container = try ParsedReceiptContainer(bytes)
        } catch {
            return unreadReceipt(bytes, error, inspection, layers)
        }
        inspection.pass(.structure, .init(.structureReceipt, "\(container.certificates.count)"))
        switch container.digest {
        case .sha256: inspection.pass(.algorithm, .init(.algorithmRight, "RSA, SHA-256"))
        case .sha1: inspection.pass(.algorithm, .init(.digestSHA1))
        }
        let receipt = Result { () throws(ReceiptError) in try AppReceipt(payload: container.payload) }
        let date = try? receipt.get().creationDate
        if !context.onlyDecodes {
            var chain = self.chain(
                of: container.certificates, signer: container.signer, isOrdered: false, purpose: .receipts)
            checkDates(of: &chain, signed: date)
            inspection.checks += chain.checks
            inspection.certificates = chain.certificates
            checkSignature(of: container, chain, &inspection)
        }
        switch receipt {
        case .success(let receipt): describe(receipt, &inspection)
        case .failure(let error):
            inspection.fail(
                .contents, .init(.contentsUnread, Self.brief(error)), bytes: container.payload.prefix(128))
        }
        checkAgain(bytes, &inspection)
        return inspection.wrapped(layers)
    }

    private func checkEncoding(_ layers: Layers, _ inspection: inout Inspection) {
        if let problem = layers.problem {
            inspection.fail(.encoding, problem)
        } else if layers.base64Count == 0 {
            inspection.pass(.encoding, .init(.encodingBinary))
        } else {
            inspection.pass(.encoding, .init(.encodingRight, "base64"))
        }
    }

    /// A container that can't be split: the receipts of Xcode are converted, for their contents.
    private mutating func unreadReceipt(
        _ bytes: [UInt8], _ error: ReceiptError, _ known: Inspection, _ layers: Layers
    ) -> Inspection {
        var inspection = known
        if error.code == .indefiniteLength || bytes.dropFirst().first == 0x80 {
            inspection.fail(.structure, .init(.xcodeForm))
            inspection.fail(.root, .init(.rootOfXcode))
            if let definite = DefiniteForm.converted(bytes),
                let receipt = VerifyReceiptRequest.Receipt.appReceipt(definite)
            {
                describe(receipt, &inspection)
            }
        } else if let length = Self.declaredLength(bytes), length > bytes.count {
            inspection.fail(.structure, .init(.truncated, "\(bytes.count)", "\(length)"), bytes: bytes.suffix(32))
        } else {
            inspection.fail(.structure, .init(.malformed, Self.brief(error)), bytes: bytes.prefix(32))
        }
        return inspection.wrapped(layers)
    }

    /// Returns the length of the first element with its head; `nil` for one that doesn't say it.
    static func declaredLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        let first = bytes[1]
        if first < 0x80 { return Int(first) + 2 }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
        return bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) } + 2 + count
    }

    private func checkSignature(
        of container: ParsedReceiptContainer, _ chain: InspectedChain, _ inspection: inout Inspection
    ) {
        guard let leaf = chain.leaf, let key = _RSA.Signing.PublicKey(leaf.certificate.publicKey) else {
            return inspection.skip(.signature, .init(.signatureUnchecked))
        }
        do throws(ReceiptError) {
            let signed = try container.signedBytes()
            if container.digest.isValid(container.signature, over: signed, with: key) {
                inspection.pass(.signature, .init(.signatureFits))
            } else {
                inspection.fail(.signature, .init(.signatureDoesNotFit), bytes: container.signature)
            }
        } catch {
            inspection.fail(.signature, .init(.messageDigestWrong), bytes: container.signature)
        }
    }

    private mutating func describe(_ receipt: AppReceipt, _ inspection: inout Inspection) {
        inspection.pass(.contents, .init(.contentsRead))
        checkSigned(receipt.creationDate, &inspection)
        let type = receipt.receiptType
        let name = type == .xcode ? "Xcode" : type.isProduction ? "Production" : "Sandbox"
        check(environment: name, isReceipt: true, &inspection)
        check(bundleID: receipt.bundleID, &inspection)
        if let device = context.device {
            let fits = receipt.belongs(toDevice: device)
            inspection.checks.append(
                .init(
                    .device, fits ? .passed : .failed, .init(fits ? .deviceFits : .deviceDiffers),
                    bytes: Hexadecimal.encode(receipt.deviceHash)))
        } else {
            inspection.skip(.device, .init(.deviceNotGiven))
        }
        if receipt.hasAutoRenewables { inspection.skip(.sharedSecret, .init(.secretNeeded)) }
        let object = receipt.described
        inspection.fields = fields(of: object)
        inspection.json = StoreKitJSON.object(object).description
        inspection.references = Self.references(in: .object(object))
    }

    private func checkAgain(_ bytes: [UInt8], _ inspection: inout Inspection) {
        let roots = context.roots.filter { $0.purpose != .signedData }.map(\.certificate)
        let isRefused = inspection.checks.contains { $0.outcome == .failed && $0.name != .encoding }
        guard !isRefused, !roots.isEmpty, let verifier = try? ReceiptVerifier(trustedRoots: roots) else { return }
        do throws(ReceiptError) {
            _ = try verifier.verify(bytes)
        } catch {
            inspection.fail(.structure, .init(.verifierRefuses, Self.brief(error)))
        }
    }

    // MARK: - The old form

    mutating func inspectTransactionReceipt(_ bytes: [UInt8], _ layers: Layers) -> Inspection {
        var inspection = Inspection(.transactionReceipt)
        checkEncoding(layers, &inspection)
        let entries: [String: String]
        do throws(ReceiptError) {
            entries = try PropertyListText.decode(bytes)
        } catch {
            inspection.fail(.structure, .init(.malformed, Self.brief(error)), bytes: bytes.suffix(32))
            return inspection.wrapped(layers)
        }
        guard let purchaseInfo = entries["purchase-info"].flatMap({ PastedText.lenient($0)?.bytes }) else {
            inspection.fail(.structure, .init(.membersMissing, "purchase-info"))
            return inspection.wrapped(layers)
        }
        let receipt = Result { () throws(ReceiptError) in try TransactionReceipt(purchaseInfo: purchaseInfo) }
        if !context.onlyDecodes {
            checkSignature(entries, purchaseInfo, try? receipt.get().purchaseDate, &inspection)
        }
        switch receipt {
        case .success(let receipt):
            inspection.pass(.contents, .init(.contentsRead))
            checkSigned(receipt.purchaseDate, &inspection)
            check(environment: receipt.environment.rawValue, isReceipt: true, &inspection)
            check(bundleID: receipt.bundleID, &inspection)
        case .failure(let error): inspection.fail(.contents, .init(.contentsUnread, Self.brief(error)))
        }
        let info = (try? PropertyListText.decode(purchaseInfo)) ?? [:]
        let object = StoreKitJSON.Object(info.map { .init($0.key, .string($0.value)) })
        inspection.fields = fields(of: object)
        inspection.json = StoreKitJSON.object(object).description
        inspection.references = [
            ("transaction-id", InspectionReference.Kind.transaction), ("original-transaction-id", .transaction),
            ("bid", .app), ("product-id", .product),
        ].compactMap { name, kind in info[name].map { InspectionReference(kind, String($0.prefix(255))) } }
        return inspection.wrapped(layers)
    }

    private func checkSignature(
        _ entries: [String: String], _ purchaseInfo: [UInt8], _ date: Date?, _ inspection: inout Inspection
    ) {
        guard let bytes = entries["signature"].flatMap({ PastedText.lenient($0)?.bytes }) else {
            return inspection.fail(.structure, .init(.membersMissing, "signature"))
        }
        let signature: TransactionReceiptSignature
        do throws(ReceiptError) {
            signature = try TransactionReceiptSignature(bytes)
        } catch {
            return inspection.fail(.structure, .init(.malformed, Self.brief(error)), bytes: bytes.prefix(32))
        }
        inspection.pass(.structure, .init(.structurePlist))
        var chain = self.chain(of: [signature.leaf, signature.intermediate], isOrdered: false, purpose: .receipts)
        checkDates(of: &chain, signed: date)
        inspection.checks += chain.checks
        inspection.certificates = chain.certificates
        guard let leaf = chain.leaf, let key = _RSA.Signing.PublicKey(leaf.certificate.publicKey) else {
            return inspection.skip(.signature, .init(.signatureUnchecked))
        }
        let signed = TransactionReceiptSignature.signedBytes(purchaseInfo)
        if ReceiptDigest.allCases.contains(where: { $0.isValid(signature.signature, over: signed, with: key) }) {
            inspection.pass(.signature, .init(.signatureFits))
        } else {
            inspection.fail(.signature, .init(.signatureDoesNotFit), bytes: signature.signature)
        }
    }
}
