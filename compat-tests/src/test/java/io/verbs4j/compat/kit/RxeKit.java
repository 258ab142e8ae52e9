/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.Set;

/** The kit on the embedded Soft-RoCE device. */
class RxeKit extends WholeKit {
    @Override
    protected VerbsProvider provider() {
        return new RxeProvider();
    }

    @Override
    protected int level() {
        return 4;
    }

    /** A context is exported as its own descriptor, which takes system calls. */
    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = super.capabilities();
        if (System.getProperty("io.verbs4j.rxe.link", "").equals("nio")) {
            all.remove(Capability.IMPORTS);
        }
        return all;
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
    }
}
