/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Restores lost connections: when, how often, and which state survives from one queue pair to the next. */
package io.verbs4j.bulk.recovery;
