/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.efadv.EfaDv;
import io.verbs4j.rdmacore.VendorVerbs;
import java.lang.invoke.MethodHandles;

/** Makes the typed API of a device, whose constructors programs do not see. */
public final class EfaVerbs {
    /** Makes efadv. */
    public static final VendorVerbs<EfaContext, EfaDv> DV = new VendorVerbs<>(MethodHandles.lookup(), EfaDv.class);

    private EfaVerbs() {}
}
