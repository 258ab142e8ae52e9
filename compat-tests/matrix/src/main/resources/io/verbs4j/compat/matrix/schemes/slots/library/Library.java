/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package verbs;

import java.util.function.IntUnaryOperator;

/** One entry point that never changes; what grows is the table. */
public final class Library {
    private Library() {}

    public static Header open(Header.Provider provider) {
        return new Header(
                new IntUnaryOperator[] {
                    provider::createQp,
                    //2 provider::openXrcd,
                },
                provider);
    }
}
