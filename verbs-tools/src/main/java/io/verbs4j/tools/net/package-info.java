/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What two programs exchange over TCP before queue pairs can be connected. */
package io.verbs4j.tools.net;
