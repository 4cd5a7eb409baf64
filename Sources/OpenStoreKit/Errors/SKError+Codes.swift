/// Short names of the codes, also as patterns: `catch SKError.paymentCancelled`.
extension SKError {
    /// ``SKError/Code/unknown``
    public static var unknown: Code { .unknown }
    /// ``SKError/Code/clientInvalid``
    public static var clientInvalid: Code { .clientInvalid }
    /// ``SKError/Code/paymentCancelled``
    public static var paymentCancelled: Code { .paymentCancelled }
    /// ``SKError/Code/paymentInvalid``
    public static var paymentInvalid: Code { .paymentInvalid }
    /// ``SKError/Code/paymentNotAllowed``
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// ``SKError/Code/storeProductNotAvailable``
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// ``SKError/Code/cloudServicePermissionDenied``
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// ``SKError/Code/cloudServiceNetworkConnectionFailed``
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    /// ``SKError/Code/cloudServiceRevoked``
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// ``SKError/Code/privacyAcknowledgementRequired``
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// ``SKError/Code/unauthorizedRequestData``
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// ``SKError/Code/invalidOfferIdentifier``
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// ``SKError/Code/invalidSignature``
    public static var invalidSignature: Code { .invalidSignature }
    /// ``SKError/Code/missingOfferParams``
    public static var missingOfferParams: Code { .missingOfferParams }
    /// ``SKError/Code/invalidOfferPrice``
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// ``SKError/Code/overlayCancelled``
    public static var overlayCancelled: Code { .overlayCancelled }
    /// ``SKError/Code/overlayInvalidConfiguration``
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// ``SKError/Code/overlayTimeout``
    public static var overlayTimeout: Code { .overlayTimeout }
    /// ``SKError/Code/ineligibleForOffer``
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// ``SKError/Code/unsupportedPlatform``
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// ``SKError/Code/overlayPresentedInBackgroundScene``
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    /// ``SKError/Code/paymentMethodBindingConfigurationRequired``
    public static var paymentMethodBindingConfigurationRequired: Code { .paymentMethodBindingConfigurationRequired }
}
