/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The provider of every device that rdma-core drives and that has no provider of its own. */
public final class RdmaCoreProvider extends NativeProvider {
    private List<NativeClaim> claims;

    /** For {@link java.util.ServiceLoader}. */
    public RdmaCoreProvider() {}

    @Override
    public String name() {
        return "rdma-core";
    }

    @Override
    public boolean takes(NativeDevice device) {
        return claims().stream().noneMatch(claim -> takes(claim, device));
    }

    private static boolean takes(NativeClaim claim, NativeDevice device) {
        try {
            return claim.takes(device);
        } catch (RuntimeException | LinkageError e) {
            return false; // as with a claim that can't be made: see addNext
        }
    }

    private synchronized List<NativeClaim> claims() {
        if (claims == null) {
            List<NativeClaim> found = new ArrayList<>();
            Iterator<NativeClaim> services = ServiceLoader.load(
                            NativeClaim.class, getClass().getClassLoader())
                    .iterator();
            while (addNext(services, found)) {
                // one after the other
            }
            claims = List.copyOf(found);
        }
        return claims;
    }

    /** A provider that is broken does not keep the others from being heard; the library tells what is wrong with it. */
    private static boolean addNext(Iterator<NativeClaim> services, List<NativeClaim> found) {
        try {
            if (!services.hasNext()) {
                return false;
            }
            found.add(services.next());
        } catch (ServiceConfigurationError | LinkageError e) {
            // its devices go to this provider
        }
        return true;
    }
}
