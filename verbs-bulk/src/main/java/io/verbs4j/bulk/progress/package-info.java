/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The engine that drives connections, and the threads that run it. */
package io.verbs4j.bulk.progress;
