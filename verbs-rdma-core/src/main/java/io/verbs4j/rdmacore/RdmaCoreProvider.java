/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The provider of every rdma-core device without a provider of its own. */
public final class RdmaCoreProvider extends NativeProvider {
    private static final int MAX_ERRORS = 1000;

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
            return false; // treated like a claim that cannot be created, see addAll
        }
    }

    /** {@return the claims, found by the same class loaders as the library finds providers} */
    private synchronized List<NativeClaim> claims() {
        if (claims == null) {
            List<NativeClaim> found = new ArrayList<>();
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            if (context != null) {
                addAll(context, found);
            }
            addAll(getClass().getClassLoader(), found); // finding a claim twice does no harm
            claims = List.copyOf(found);
        }
        return claims;
    }

    private static void addAll(ClassLoader loader, List<NativeClaim> found) {
        Iterator<NativeClaim> services =
                ServiceLoader.load(NativeClaim.class, loader).iterator();
        int errors = 0; // a broken loader may fail for ever
        boolean more = true;
        while (more && errors < MAX_ERRORS) {
            try {
                more = services.hasNext();
                if (more) {
                    found.add(services.next());
                }
            } catch (ServiceConfigurationError | LinkageError | VirtualMachineError e) {
                // The claim's devices then go to this provider. A broken claim must not hide the others; the library
                // reports what is wrong with the claim's provider.
                errors++;
            }
        }
    }
}
