/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.List;

/**
 * The registered stand-in for the model, so that a library that has already looked for providers can use another model.
 * Public for its loader.
 */
public class CurrentModel implements VerbsProvider {
    private static volatile VerbsProvider model;

    /** Stands for a model with a table. */
    public static final class Extended extends CurrentModel implements ExtendedProvider {
        @Override
        public void initContext(ContextOps opened, ContextTable table) {
            ((ExtendedProvider) model).initContext(opened, table);
        }
    }

    /** Stands for this model from now on. */
    public static VerbsProvider of(VerbsProvider provider) {
        model = provider;
        return provider instanceof ExtendedProvider ? new Extended() : new CurrentModel();
    }

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public int level() {
        return model.level();
    }

    @Override
    public int minimumLibraryLevel() {
        return model.minimumLibraryLevel();
    }

    @Override
    public List<? extends Device> devices() {
        return model.devices();
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        return model.openDevice(device, context);
    }
}
