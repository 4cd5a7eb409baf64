import Foundation

/// The icon: a seedling on the accent colour.
enum ConsoleIcon {
    static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><rect width="192" height="192" rx="42" fill="#4a3fcf"/>\
        <path d="M96 146V84M96 106C64 106 54 89 54 58c28 0 42 14 42 48zM96 94c0-28 11-42 42-45 0 31-11 45-42 45z" \
        fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/></svg>
        """

    /// The same without round corners, 192 pixels wide, with sixteen colours: telephones cut the corners themselves.
    static let png = [UInt8](Data(base64Encoded: encoded) ?? Data())

    private static let encoded = """
        iVBORw0KGgoAAAANSUhEUgAAAMAAAADABAMAAACg8nE0AAAAMFBMVEVKP89WTNJiWdVuZdl6ctyGf9+SjOKemeWrpem3suzDv+/PzPLb\
        2fXn5fnz8vz///+Jrw+2AAADtElEQVR42u1au2sUQRifu1wuyd3FbBXEFHdisBIMgo2gl0IIsTAHFiIIRoyFWiSksE1AO5F0Whr/ARML\
        IY3eWYnVKYIIghfFQkixPi7Re2W8eezuPC6Qnd0Bke9X7ezsfr+d7z3DIgQAAAAAAAAAAAAAAAAA8H9h/OI1i9JP3qthjB/bEj9dxRQt\
        O+JHn2APExbEJ2/hAAvxy++vYqsE6Rq2StAvy8ezceu/jKMTTN2+fvbwHnNLinxcCi9/jL7Yed0rSo8Fkjsb9w0J1jwR7TvqVMr15rbu\
        OihLLiZDy+8T1v+hIM9d8SaekVHOLNDSooabE72mdhfpcJhcF0ITDEg2bE3qFm5xvY+QAYpIgJvBJ/Zz03irypPFoGgq6qLheDNFpp+S\
        OO5EJ8Bf+USCudBTyeStGAi8dJOhgz/BkytkfYYEqyh50/f5JlPSjJoaSMDsGGQzImadpB2f4iWdoFlOFEjSdj08QYrIqUiZmSp6kF4u\
        Bw8myPiHQb4k772Ra8s6d0rJaeiXbIYnSIjvpVh2bnCT4l/Cg4PMWOFB3vuuBFfX9121fuVMC5orqfYMJfjCnKstPpc3bSqqkiqSVSY5\
        q2oIzZulIube22r9mc0Ltg8+pGlCsCLHKytAn5fUAkzrxrYJwbzyZdSYTRISu45we0hyhjCYUfw96eeMhmZjEy9Fx8mbjmpNgp+qJg0q\
        chcH1DdzHkFFDfiOiXzmkAu92oAF9akdI4IBL/tojYxWnzeNCFJalixyAkd5yLDzTWgOnuW9nHDrvLkJECqrHskzXlO9UzckWNLaERYJ\
        vxUflQ0VNhCktvyR8sGnWQNTMCTIqT7P671v+IM4koaYn9a12POdMs1zx7IpQUKrLRmR4Jyr2dxoh1DS+lVaDY76W+RVcwIaWG+1ZFFB\
        4zde4J6p1cTKDbURwG03rv1rStveVbWG9V2kzWpZrfBrqvyWE4mAGmF3Yu/da7sUST6rt/7GQNz98bQXUT7vpAU7FuVtVWT5XGCrIFV4\
        D6+cyPK9naCfP0cE816N5dCD5U/8ng+HufSPDy/EdKqS4RK/FYLQ25groPjgHdu0F/2iuYzixJCv9K0HJ9iC4iUI+jkSc1ULBClXTQ8x\
        E6BDtgl4abdIgC7bJkCn7B6RdjFatruCbodxqWaXgFA8d60SEByZ/uRaJWDnEkAABEAABEAABEAABEAABEAABECwH6Rt/Okjos/W71w+\
        ypFO2/eBMfGHCiuYmkMAAAAAAAAAAAAAAAAA/ln8BdaOdozs+SFyAAAAAElFTkSuQmCC
        """
}
