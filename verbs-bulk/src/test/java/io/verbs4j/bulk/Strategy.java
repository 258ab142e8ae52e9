/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.core.Verbs;
import java.util.List;

/** Two devices, by what they can do. */
enum Strategy {
    /** The embedded devices as they are. */
    EVERYTHING(null, null),
    /** The same, connected by TCP. */
    BY_TCP(null, null),
    WITHOUT_READ(Model.WITHOUT_READ, Model.WITHOUT_READ),
    WITHOUT_READ_THERE(Model.ALL, Model.WITHOUT_READ_DEPTH),
    WITHOUT_IMMEDIATE(Model.WITHOUT_IMMEDIATE, Model.WITHOUT_IMMEDIATE),
    WRITE_ALONE(Model.WRITE_ALONE, Model.WRITE_ALONE),
    WRITE_ALONE_HERE(Model.WRITE_ALONE, Model.ALL),
    WRITE_ALONE_THERE(Model.ALL, Model.WRITE_ALONE);

    /** More than this is worth a registration where the peer writes it. */
    private static final int CHUNK = 64 << 10;

    private final Model first;
    private final Model second;

    Strategy(Model first, Model second) {
        this.first = first;
        this.second = second;
    }

    Context openFirst() {
        return open(0, first);
    }

    Context openSecond() {
        return open(1, second);
    }

    private static Context open(int number, Model model) {
        if (model != null) {
            return ModelProvider.open(number, model);
        }
        List<Device> devices = Verbs.devices();
        return Verbs.open(devices.get(number), VerbsLevel.CURRENT);
    }

    BulkConfig config(Context context) {
        return BulkConfig.of(context).withConnections(this == BY_TCP ? BulkConnections.TCP : BulkConnections.AUTOMATIC);
    }

    private boolean reads() {
        return this == EVERYTHING || this == BY_TCP || this == WITHOUT_IMMEDIATE;
    }

    /** Flags of a completion for bytes that were brought here from the peer's memory. */
    int fetched(int size) {
        return !reads() && size > 0 && size <= CHUNK ? BulkResult.COPIED : 0;
    }
}
