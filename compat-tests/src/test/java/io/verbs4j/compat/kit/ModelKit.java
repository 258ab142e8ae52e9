/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.compat.kit.model.ModelProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** The kit on the model; run by {@link KitRun} alone. Quick: the model does at once what it does. */
class ModelKit extends FullKit {
    @Override
    protected VerbsProvider provider() {
        return new ModelProvider();
    }

    @Override
    protected int level() {
        return 2;
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
    protected boolean hasUd() {
        return !Fault.HIDDEN_UD.on();
    }
}
