/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Connection of the queue pairs of two endpoints. */
package io.verbs4j.bulk.connect;
