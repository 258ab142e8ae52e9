/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.compat.kit.model.ModelProvider;
import io.verbs4j.compat.kit.model.PlainProvider;
import io.verbs4j.compat.kit.model.Traits;
import io.verbs4j.compat.kit.model.Unlike;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The kit on the model, used only by {@link KitRun}. Quick, because the model acts immediately. */
class ModelKit extends ProviderKit {
    /** System property: the capabilities that are not declared, separated by commas. */
    static final String UNSTATED = "io.verbs4j.compat.kit.unstated";

    /** System property: whether to declare that peers may write although the device cannot. */
    static final String PEERS_WRITE = "io.verbs4j.compat.kit.peers.write";

    /** System property: the peculiarities declared to the kit, separated by commas. */
    static final String SAYS_UNLIKE = "io.verbs4j.compat.kit.unlike";

    private static final Set<String> UNLIKE =
            Set.of(System.getProperty(SAYS_UNLIKE, "").split(",", -1));

    private static final Set<Capability> LEFT_OUT = Traits.capabilities(System.getProperty(UNSTATED, ""));
    private static final VerbsProvider MODEL =
            CurrentModel.of(Traits.has(Capability.EXTENDED) ? new ModelProvider() : new PlainProvider());

    @Override
    protected VerbsProvider provider() {
        return MODEL;
    }

    @Override
    protected int level() {
        return Traits.has(Capability.EXTENDED) ? 4 : 1;
    }

    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = EnumSet.allOf(Capability.class);
        all.removeAll(LEFT_OUT);
        if (Fault.HIDDEN_UD.on()) {
            all.remove(Capability.UD);
        }
        if (!all.contains(Capability.UD)) {
            all.remove(Capability.MULTICAST);
        }
        return all;
    }

    @Override
    protected Duration patience() {
        return Duration.ofMillis(100);
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(5);
    }

    @Override
    protected boolean hasRemoteWriteRights() {
        return super.hasRemoteWriteRights() || Boolean.getBoolean(PEERS_WRITE);
    }

    @Override
    protected boolean hasNumbersAtCreation() {
        return !UNLIKE.contains(Unlike.LATE_NUMBERS.name());
    }

    @Override
    protected boolean hasRemoteReasons() {
        return !UNLIKE.contains(Unlike.NO_REMOTE_REASONS.name());
    }

    @Override
    protected boolean hasOverrunErrors() {
        return !UNLIKE.contains(Unlike.OVERRUN_SPARES.name());
    }

    /** A frame reaches only the other ports. */
    @Override
    protected int framePort() {
        return 2;
    }
}
