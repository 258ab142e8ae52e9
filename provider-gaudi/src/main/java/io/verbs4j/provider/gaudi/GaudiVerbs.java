/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.hbldv.HblDv;
import io.verbs4j.rdmacore.VendorVerbs;
import java.lang.invoke.MethodHandles;

/** Makes the typed API of a device, whose constructors programs do not see. */
public final class GaudiVerbs {
    /** Makes hbldv. */
    public static final VendorVerbs<GaudiContext, HblDv> DV = new VendorVerbs<>(MethodHandles.lookup(), HblDv.class);

    private GaudiVerbs() {}
}
