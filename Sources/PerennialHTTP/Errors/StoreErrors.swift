import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

extension APIError {
    /// Describes a refused purchase with the code, status and StoreKit number of store/v1.
    package init(_ refusal: PurchaseRefusal) {
        let (status, skError, field): (HTTPResponse.Status, Int, String?) =
            switch refusal.code {
            case .quantityOutOfRange: (.badRequest, 3, "quantity")
            case .paymentsNotAllowed: (.forbidden, 4, nil)
            case .paymentDeclined: (.init(code: 402, reasonPhrase: "Payment Required"), 0, nil)
            case .purchaseInterrupted: (.conflict, 0, nil)
            case .productNotAvailable: (.notFound, 5, "productId")
            case .termStillRunning: (.conflict, 3, "productId")
            case .alreadySubscribed: (.conflict, 3, "productId")
            case .newsstandOnly: (.conflict, 5, "productId")
            case .offerNotAvailable: (.conflict, 18, "offer")
            case .offerNotFound: (.notFound, 11, "offer")
            case .offerSignatureInvalid: (.forbidden, 12, "offer")
            case .offerPriceInvalid: (.conflict, 14, "offer")
            case .codeNotRedeemable: (.conflict, 11, "code")
            case .idempotencyKeyReused: (.conflict, 3, "idempotencyKey")
            }
        self.init(status, refusal.code.rawValue, refusal.reason, field: field, skError: skError)
    }

    package init(_ error: StoreError) {
        let (status, skError): (HTTPResponse.Status, Int) =
            switch error.code {
            case .unauthorized: (.unauthorized, 1)
            case .appNotFound, .accountNotFound, .transactionNotFound, .purchaseNotFound, .approvalNotFound,
                .familyNotFound, .offerNotFound, .environmentNotFound, .subscriptionNotQuarantined,
                .priceNotScheduled:
                (.notFound, 0)
            case .accountExists, .environmentExists, .environmentPermanent, .offerCodeExists, .clockRunsByItself,
                .subscriptionUnreadable:
                (.conflict, 0)
            case .storefrontUnknown, .tooManyProducts, .timeInThePast: (.badRequest, 1)
            case .malformed: (.badRequest, 1)
            }
        let isField = error.code == .malformed || error.code == .tooManyProducts
        let field: String? = isField ? error.subject : error.code == .storefrontUnknown ? "storefront" : nil
        self.init(
            status, error.code == .malformed ? "malformedRequest" : error.code.rawValue,
            isField ? error.reason : "\(error.subject): \(error.reason)", field: field,
            skError: skError)
    }

    /// Describes a figure that isn't explained.
    package init(_ error: ExplainError) {
        switch error.code {
        case .malformed: self.init(.badRequest, "malformedRequest", error.reason, field: error.subject)
        case .figureNotFound:
            self.init(.notFound, error.code.rawValue, "there is no figure \"\(error.subject)\": \(error.reason)")
        }
    }

    /// Describes a password that is not checked now.
    package init(_ refusal: PasswordRefusal) {
        let (status, code): (HTTPResponse.Status, String) =
            switch refusal.code {
            case .overloaded: (.serviceUnavailable, "unavailable")
            case .tooManyGuesses: (.tooManyRequests, "tooManyGuesses")
            }
        self.init(
            status, code, refusal.description, skError: 0, headers: [.retryAfter: String(refusal.retryAfter)])
    }

    /// Describes a sign-in to the console, or a password for it, that was refused.
    package init(_ error: ConsoleSignInError) {
        switch error {
        case .wrong, .linkInvalid: self.init(.unauthorized, "unauthorized", error.description)
        case .userUnknown: self.init(.notFound, "notFound", error.description)
        case .passwordTooShort, .passwordTooLong:
            self.init(.badRequest, "malformedRequest", error.description, field: "password")
        }
    }

    /// Describes a renewal date that was not moved.
    package init(_ error: ExtensionError) {
        let (status, field): (HTTPResponse.Status, String?) =
            switch error.code {
            case .invalidDays: (.badRequest, "days")
            case .invalidReason: (.badRequest, "reason")
            case .invalidRequestIdentifier: (.badRequest, "requestIdentifier")
            case .invalidProduct: (.badRequest, "productId")
            case .invalidStorefront: (.badRequest, "storefronts")
            case .ineligible, .maximumReached, .familyShared: (.conflict, nil)
            case .subscriptionNotFound, .requestNotFound: (.notFound, nil)
            }
        let isMalformed = status == .badRequest
        self.init(
            status, isMalformed ? "malformedRequest" : error.code.rawValue, error.reason, field: field,
            skError: isMalformed ? 1 : nil)
    }
}

extension APIError {
    /// Describes a refusal of the App Store Server API in the form of our own protocols: the code is Apple's number.
    package init(_ error: ServerAPIError) {
        self.init(
            HTTPResponse.Status(code: error.status), "\(error.code.rawValue)", error.message, field: error.field)
    }
}

extension APIError {
    /// Describes a refused edit of the catalog or of the team, with the field.
    ///
    /// A value that breaks a rule is a conflict with the catalog, not a malformed request: which values are good depends on
    /// the product and its state.
    package init(_ error: CatalogEditError) {
        let field: String? =
            switch error.place {
            case .attribute(let name), .relationship(let name): name
            case .includedAttribute(let index, let name), .includedRelationship(let index, let name):
                "[\(index)].\(name)"
            case .none: nil
            }
        let reasons = error.associated.map { " \($0)" }.joined()
        self.init(
            error.code == .notFound ? .notFound : .conflict, error.code.rawValue, error.detail + reasons, field: field)
    }
}
